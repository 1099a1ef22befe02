"""Live tables: seats, lobby, moves, clocks, computer players, and the registry of loaded tables."""
