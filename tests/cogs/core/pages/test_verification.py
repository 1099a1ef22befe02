"""The sentences about a verified game."""

import inspect
import re

from cogs.core.pages.verification import DIFFERENCES
from engine import verify


def test_every_difference_has_a_sentence():
    codes = set(re.findall(r'_(?:Differs|fitting)\("([\w-]+)"', inspect.getsource(verify)))
    assert codes == set(DIFFERENCES)
