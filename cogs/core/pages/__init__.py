"""Pages as plain values, the ids of their controls, and the interface that a game's UI implements."""
