"""The owner's tools: `/settings` and `/doctor` for those who manage a server, `/admin` for its moderators.

May import `cogs.core` and `engine`.
"""

from cogs.office.admin import Admin
from cogs.office.doctor import Doctor
from cogs.office.settings import SettingsCommands

__all__ = ["Admin", "Doctor", "SettingsCommands"]
