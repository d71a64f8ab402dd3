#!/bin/sh
# Registers the nodes at the coordinator and distributes the tables over the workers. It can run again: what is there already stays.
#   COORDINATOR=host[:port] WORKERS="host[:port] …" distribute.sh      psql reads PGHOST, PGUSER, PGDATABASE, PGPASSWORD
set -eu
: "${COORDINATOR:?}" "${WORKERS:?}"
here=$(dirname "$0")
call() {
  case $2 in *:*) host=${2%:*} port=${2##*:} ;; *) host=$2 port=5432 ;; esac
  echo "select $1(:'host', :port)" | psql -qX -o /dev/null -v ON_ERROR_STOP=1 -v host="$host" -v port="$port"
}
call citus_set_coordinator_host "$COORDINATOR"
for worker in $WORKERS; do call citus_add_node "$worker"; done
psql -qX -v ON_ERROR_STOP=1 -f "$here/distribute.sql"
