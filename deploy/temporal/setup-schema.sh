#!/bin/sh
# Updates Temporal's two databases to the schema of this admin-tools version. It is safe to run repeatedly.
set -eu

: "${POSTGRES_SEEDS:?is not set: the host of PostgreSQL}"
: "${POSTGRES_USER:?is not set: the user of PostgreSQL}"
SQL_PASSWORD=$(cat "${TEMPORAL_PASSWORD_FILE:?is not set: the file with the password of this user}")
export SQL_PASSWORD

schema_of() {
  database=$1
  versions=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12/$2/versioned
  set -- temporal-sql-tool --plugin postgres12 --ep "$POSTGRES_SEEDS" -p "${DB_PORT:-5432}" -u "$POSTGRES_USER" --db "$database"
  "$@" setup-schema -v 0.0
  "$@" update-schema -d "$versions"
}

schema_of temporal temporal
schema_of temporal_visibility visibility
