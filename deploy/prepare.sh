#!/bin/sh
# Prepares docker-compose.yml: creates .env, the secrets and an example configuration. It keeps every file that exists,
# so it is safe to run repeatedly: to replace a secret, remove its file first.
set -eu
cd "$(dirname "$0")/.."

# Containers read the scripts under another user's id, whatever the umask was when the repository was cloned.
chmod a+rx deploy/postgres deploy/temporal
chmod a+r deploy/postgres/* deploy/temporal/*

umask 077
mkdir -p deploy/secrets deploy/config

secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
create() { [ -e "$1" ] || printf '%s\n' "$2" >"$1"; }

create deploy/secrets/postgres-password "$(secret)"
create deploy/secrets/temporal-password "$(secret)"
create deploy/secrets/database-url "postgres://everpost:$(secret)@postgres:5432/everpost"
create deploy/config/api-keys "$(secret)"
create deploy/config/main-webhook-token "$(secret)"
[ -e deploy/config/instances.json ] || cat deploy/instances.example.json >deploy/config/instances.json

# Root's files would be readable for root only: they go to the user of the image.
run_as="$(id -u):$(id -g)"
if [ "$(id -u)" = 0 ]; then
  run_as=1000:1000
  chown -R "$run_as" deploy/secrets deploy/config
fi
[ -e .env ] || cat deploy/compose.env.example >.env
grep -q '^RUN_AS=' .env || printf 'RUN_AS=%s\n' "$run_as" >>.env
echo "Ready: docker compose --profile try-out up --build --detach --wait"
