#!/bin/sh
# Run once by the PostgreSQL image, when its cluster is created: the role of the service's processes.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username="$POSTGRES_USER" "$POSTGRES_DB" <<'SQL'
create role zonewright_service login password :'password';
SQL
