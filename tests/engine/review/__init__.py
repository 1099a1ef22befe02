"""Reviews: how finished games are evaluated, from what each seat knew."""
