"""Runs the migrations of the tables."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Engine

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the migrations up to `revision` in one transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.execution_options(writes=True).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
