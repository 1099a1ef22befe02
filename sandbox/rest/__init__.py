"""The REST API of the sandbox. `Api` handles calls; each other module holds the handlers of a resource.

Handlers are plain functions from a `Call` to a `Reply`, so calls are handled one at a time.
"""

from .api import Api

__all__ = ["Api"]
