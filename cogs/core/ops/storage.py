"""The types of storage that a cog is given: it reaches `data` through the core only."""

from data.background import BackgroundTasks as BackgroundTasks
from data.store import OpenTable as OpenTable
from data.store import Store as Store
from data.store import StoreError as StoreError
from data.store import TableRow as TableRow
from data.store.progress import Earned as Earned
