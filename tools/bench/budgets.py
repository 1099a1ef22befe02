"""How every part of the benchmark says what was wanted, and whether it was missed. The house's budgets stand beside
what measures them.
"""


def judged(kept: bool, budget: str) -> str:
    """Return a budget in brackets, to stand behind the figure that it is of."""
    return f" [budget {budget}{'' if kept else ': MISSED'}]"
