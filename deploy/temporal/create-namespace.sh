#!/bin/sh
# Waits until Temporal is healthy, registers the namespace and everpost's search attributes if they are missing, and sets
# the retention of the namespace.
# The CLI reads TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE itself.
set -eu

: "${TEMPORAL_ADDRESS:?is not set: host:port of Temporal}"
: "${TEMPORAL_NAMESPACE:?is not set: the namespace to register}"

# Not all services of Temporal know a new server or namespace at once.
attempts_left=60
until_it_works() {
  until "$@"; do
    attempts_left=$((attempts_left - 1))
    if [ "$attempts_left" -le 0 ]; then
      echo "Gave up after 60 attempts: $*" >&2
      exit 1
    fi
    sleep 2
  done
}

ensure_namespace() {
  operation=update
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 || operation=create
  temporal operator namespace "$operation" --namespace "$TEMPORAL_NAMESPACE" --retention "${RETENTION:-72h}"
}

# Existing attributes do not change.
ensure_search_attributes() {
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --type Keyword \
    --name EverpostState --name EverpostKind --name EverpostCampaign
  temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --type KeywordList \
    --name EverpostInstance
}

until_it_works temporal operator cluster health
until_it_works ensure_namespace
until_it_works ensure_search_attributes
echo "Namespace $TEMPORAL_NAMESPACE is ready."
