"""The owner's tools: `/settings` and `/doctor` for those who manage a server, `/admin` for its moderators."""

from cogs.admin.admin import Admin
from cogs.admin.doctor import Doctor
from cogs.admin.settings import SettingsCommands

__all__ = ["Admin", "Doctor", "SettingsCommands"]
