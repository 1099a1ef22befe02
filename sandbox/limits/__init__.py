"""Discord's limits on what a bot sends: messages, components, modals, commands and files.

Each check collects all problems of a body with their exact paths, as Discord's error 50035 does. Sources: Discord's API
documentation (the pages on messages, components, application commands, interactions) and its OpenAPI description.
"""

from .callbacks import check_callback
from .commands import check_command, check_command_list
from .components import check_message_components
from .messages import MessageRules, check_message
from .modals import check_modal
from .validation import Invalid, Path, Problems

__all__ = [
    "Invalid",
    "MessageRules",
    "Path",
    "Problems",
    "check_callback",
    "check_command",
    "check_command_list",
    "check_message",
    "check_message_components",
    "check_modal",
]
