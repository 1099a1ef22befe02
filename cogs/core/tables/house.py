"""What all rooms of the house share: the store, the clock, the scheduler, and what goes on by itself."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

import discord

from cogs.core.ops import discord_errors
from cogs.core.ops.database_status import Health
from cogs.core.ops.rest_errors import Traffic
from cogs.core.ops.timers import Clock, Scheduler
from cogs.core.pages.game_ui import Screen
from cogs.core.publishing.answers_first import AnswersFirst
from cogs.core.publishing.covers import Covers
from cogs.core.publishing.shown_revisions import Shown
from cogs.core.tables.guild_settings import ServerSettings
from cogs.core.tables.user_preferences import Preferences
from data.background import BackgroundTasks
from data.store import Store, StoreError
from engine.players import Explain, Level, Player

log = logging.getLogger(__name__)


def background_of(health: Health) -> BackgroundTasks:
    """Return what takes care of all that goes on by itself, until it ends or the house closes."""

    def failed(name: str, error: BaseException) -> None:
        if isinstance(error, StoreError):
            health.failed(error)
        elif isinstance(error, discord_errors.FAILED_CALL):
            log.warning("%s failed: %s", name, error)
        else:
            log.error("%s failed", name, exc_info=error)

    return BackgroundTasks(failed)


@dataclass(frozen=True)
class House:
    """What every room is given."""

    client: discord.Client
    store: Store
    clock: Clock
    scheduler: Scheduler
    screens: Mapping[str, Screen]
    players: Mapping[str, Mapping[Level, Player]]
    reasons: Mapping[str, Explain]
    settings: ServerSettings
    traffic: Traffic
    health: Health
    shown: Shown
    tasks: BackgroundTasks
    notify: Preferences
    covers: Covers
    answers: AnswersFirst
