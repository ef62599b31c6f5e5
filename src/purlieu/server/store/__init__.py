"""The database: tables, the one writer, and the questions asked of it."""
