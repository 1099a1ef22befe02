from engine.contract import Seat


def merit(exits: tuple[Seat | None, ...], columns: tuple[int, ...]) -> float:
    return len(columns)
