"""Migrations of the library's tables, run by Alembic; they travel with the package."""
