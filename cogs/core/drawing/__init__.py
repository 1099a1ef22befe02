"""How pictures are made, for every game: the theme, a canvas, sprites, their encoding, and what is drawn often."""
