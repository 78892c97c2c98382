"""Oni: characters' animations (TRAM), object and camera animations (OBAN), bodies, instance files, OniSplit XML."""
