"""The walk of LBA1's hero, as the specification of the format prints it."""

KEYFRAME_1 = {
    1: (0, 33, 0),
    2: (0, 554, 33),
    3: (0, 586.752, 28.960),
    12: (32.316, 583.586, -100.015),
    39: (135.287, 655.105, 34.560),
    51: (165.066, 549.706, 325.788),
}
"""Point -> its position at keyframe 1, in game units, in floating point."""
