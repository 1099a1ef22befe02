"""What more servers need: measured, published and assumed figures (`figures`), arithmetic on them (`growth`), and
simulated queues where a mean says too little (`queues`).

`make simulate` prints the table of docs/scale.md in seconds.
"""
