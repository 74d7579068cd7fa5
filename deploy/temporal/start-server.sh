#!/bin/sh
# Starts Temporal's server by the given command, with the password of its secret: the server reads only the environment.
set -eu

POSTGRES_PWD=$(cat "${TEMPORAL_PASSWORD_FILE:?is not set: the file with the password of the role temporal}")
export POSTGRES_PWD
exec "$@"
