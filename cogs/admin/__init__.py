"""Administration: `/settings` and `/doctor` for managers of a server, `/admin` for its moderators."""

from cogs.admin.admin import Admin
from cogs.admin.doctor import Doctor
from cogs.admin.settings import SettingsCommands

__all__ = ["Admin", "Doctor", "SettingsCommands"]
