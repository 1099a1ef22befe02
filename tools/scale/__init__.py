"""What more servers mean, by arithmetic: figures that were measured, told by Discord or assumed (`figures`), what
follows from them for so many servers (`growth`), and simulated queues where an average says too little (`queues`).

`make simulate` prints the table of docs/scale.md. It takes seconds.
"""
