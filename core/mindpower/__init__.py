"""Tales of Pirates (the MindPower engine): skeletons with their animation, meshes, textures and tables. Row vectors, left-handed, Z up."""
