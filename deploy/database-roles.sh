#!/bin/sh
# Run once by the image of PostgreSQL, when its volume is empty. The service gets a role that reads and writes rows and can change no
# table, and `npm run migrate` one that owns the database; neither is the superuser.
set -eu
: "${OWNER_PASSWORD:?}" "${SERVICE_PASSWORD:?}"
export OWNER_PASSWORD SERVICE_PASSWORD
psql -v ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
-- From the environment: what stands in a command line, everybody on the machine may read.
\set owner_password `printenv OWNER_PASSWORD`
\set service_password `printenv SERVICE_PASSWORD`
-- A second database on the same server has them already, and keeps their passwords.
select format('create role tether_owner login password %L', :'owner_password')
 where not exists (select from pg_roles where rolname = 'tether_owner') \gexec
select format('create role tether_service login password %L', :'service_password')
 where not exists (select from pg_roles where rolname = 'tether_service') \gexec
-- Behind a pooler the service sets no limit for a statement, because it would be the next client's as well. Elsewhere its own counts.
alter role tether_service set statement_timeout = '30s';
alter database :"DBNAME" owner to tether_owner;
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to tether_service;
revoke all on schema public from public;
grant usage on schema public to tether_service;
grant usage, create on schema public to tether_owner;
alter default privileges for role tether_owner in schema public
  grant select, insert, update, delete on tables to tether_service;
alter default privileges for role tether_owner in schema public
  grant usage, select on sequences to tether_service;
SQL
