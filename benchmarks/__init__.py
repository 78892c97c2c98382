"""How fast we are, as ratios against yardsticks that run in the same process."""
