"""The host that every cog shares, in layers: each package imports only from those below it (see `pyproject.toml`)."""
