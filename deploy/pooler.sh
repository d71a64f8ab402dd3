#!/bin/sh
# Starts PgBouncer with the one user that it lets in. The password comes from outside and stands in no file that outlives it.
set -eu
umask 077
printf '"tether_service" "%s"\n' "$SERVICE_PASSWORD" >/tmp/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
