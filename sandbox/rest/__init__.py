"""The REST API of the sandbox. `Api` takes the calls; the other modules hold the handlers of each resource.

Handlers are plain functions from a `Call` to a `Reply`: no call is half done when the next one is taken. May import
`api`.
"""

from .api import Api

__all__ = ["Api"]
