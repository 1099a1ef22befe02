"""Tests of what lasts: the store, its migrations, the game material."""
