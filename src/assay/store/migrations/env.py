"""Runs migrations on the connection that `assay.store.migrate` hands over."""

from alembic import context

from assay.store.migrate import VERSION_TABLE
from assay.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    version_table=VERSION_TABLE,
)
with context.begin_transaction():
    context.run_migrations()
