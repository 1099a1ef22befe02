"""The router: how everything that people do comes in, and how each of them is answered."""
