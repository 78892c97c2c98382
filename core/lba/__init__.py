"""Little Big Adventure 1 and 2: one module a file format, and what the engines do with them."""
