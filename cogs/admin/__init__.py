"""The owner's tools: `/settings` and `/doctor` for those who manage a server, `/admin` for its moderators.

May import `cogs.core`, `engine` and its own package.
"""

from cogs.admin.admin import Admin
from cogs.admin.doctor import Doctor
from cogs.admin.settings import SettingsCommands

__all__ = ["Admin", "Doctor", "SettingsCommands"]
