"""Tests of the store, its migrations, and the material of the games."""
