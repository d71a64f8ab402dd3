#!/bin/sh
# Run once by the image on every node, after database-roles.sh: with which passwords a node logs in at the others. Citus connects to a worker
# as the role that runs the statement.
set -eu
: "${OWNER_PASSWORD:?}" "${SERVICE_PASSWORD:?}" "${POSTGRES_PASSWORD:?}"
export OWNER_PASSWORD SERVICE_PASSWORD POSTGRES_PASSWORD
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\set owner_password `printenv OWNER_PASSWORD`
\set service_password `printenv SERVICE_PASSWORD`
\set superuser_password `printenv POSTGRES_PASSWORD`
create extension if not exists citus;
-- Node 0 stands for every node.
insert into pg_dist_authinfo (nodeid, rolename, authinfo) values
  (0, 'tether_owner', 'password=' || :'owner_password'),
  (0, 'tether_service', 'password=' || :'service_password'),
  (0, current_user, 'password=' || :'superuser_password');
SQL
