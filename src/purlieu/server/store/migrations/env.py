"""What Alembic runs: the steps that are missing, in one transaction of a connection that it is handed."""

from alembic import context

from purlieu.server.store.tables import metadata


def run() -> None:
    """Run the steps that are missing."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # the name under which Alembic runs this file; others may import it
    run()
