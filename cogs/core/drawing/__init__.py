"""Pictures: theme, canvas, palettes, compositions of cached bitmaps, and their files."""
