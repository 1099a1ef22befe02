"""Estimate what more servers need: measured, published and assumed figures (`figures`), arithmetic on them (`growth`),
and simulated queues where a mean is not enough (`queues`).

`make simulate` prints the table of docs/scale.md in seconds.
"""
