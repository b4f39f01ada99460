"""What Alembic runs before a migration: it uses the connection, and so the transaction, of who asked."""

from alembic import context

from wce_desktop.library.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,
    render_as_batch=True,
)
context.run_migrations()
