"""What is declared once and used everywhere: options of jobs, and fields of files. The standard library alone, so that it costs nothing."""
