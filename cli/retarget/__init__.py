"""What the command `retarget` does: sources beside the rig, their clips onto it, and a table of how well they went."""
