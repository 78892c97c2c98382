"""Files, folders and whole games into a folder, with a file for each character."""
