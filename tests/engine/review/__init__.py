"""Reviews: how finished games are judged, from what each seat knew."""
