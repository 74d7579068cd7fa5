#!/bin/sh
# Creates the role everpost with its database, and the role temporal with its two, or sets their passwords to those of the
# secrets. Neither role can read the other's databases. It is safe to run repeatedly.
set -eu

: "${PGHOST:?is not set: the host of PostgreSQL}"
PGPASSWORD=$(cat "${POSTGRES_PASSWORD_FILE:?is not set: the file with the password of the superuser}")
export PGPASSWORD
temporal_password=$(cat "${TEMPORAL_PASSWORD_FILE:?is not set: the file with the password of the role temporal}")
everpost_password=$(sed -n 's|^postgres://everpost:\([0-9A-Za-z]*\)@.*|\1|p' "${DATABASE_URL_FILE:?is not set}")
# psql reads them from the environment, where no list of processes shows them.
export temporal_password everpost_password
if [ -z "$everpost_password" ]; then
  echo "$DATABASE_URL_FILE must contain postgres://everpost:PASSWORD@HOST:PORT/everpost, its password of letters and digits" >&2
  exit 1
fi

psql --no-psqlrc --quiet --no-password --dbname postgres --set ON_ERROR_STOP=1 <<'SQL'
\getenv everpost_password everpost_password
\getenv temporal_password temporal_password
set client_min_messages = warning;
-- A statement that fails would be logged with its password.
set log_min_error_statement = panic;
select format('create role %I login', name) from unnest(array['everpost', 'temporal']) as name
  where not exists (select from pg_roles where rolname = name) \gexec
alter role everpost password :'everpost_password';
alter role temporal password :'temporal_password';
select format('create database %I owner %I', name, owner)
  from (values ('everpost', 'everpost'), ('temporal', 'temporal'), ('temporal_visibility', 'temporal')) as wanted (name, owner)
  where not exists (select from pg_database where datname = name) \gexec
revoke all on database postgres, everpost, temporal, temporal_visibility from public;
SQL
echo "The roles everpost and temporal are ready."
