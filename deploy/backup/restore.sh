#!/bin/sh
# Lays out a cluster as it was at a moment; PostgreSQL, started on it, brings it there by itself and then takes connections.
#
#   restore.sh /var/backups/zonewright /var/lib/postgresql/15/main 2026-11-20T14:05:00Z
#
# Run as the user of PostgreSQL. The folder of the cluster must be empty or not there: nothing is overwritten.
set -eu
[ -z "$(ls -A "$2" 2>/dev/null)" ] || { echo "$2 is not empty: move it away first" >&2; exit 1; }
moment=$(date -u -d "$3" +%Y%m%dT%H%M%SZ)
base=$(ls -1 "$1/base" | awk -v moment="$moment" '$0 <= moment' | tail -n 1)
[ -n "$base" ] || { echo "there is no copy as old as $3" >&2; exit 1; }
mkdir -p "$2"
chmod 700 "$2"
tar -xzf "$1/base/$base/base.tar.gz" -C "$2"
cat >> "$2/postgresql.auto.conf" <<CONF
restore_command = 'cp "$1/wal/%f" "%p"'
recovery_target_time = '$(date -u -d "$3" '+%Y-%m-%d %H:%M:%S.%6N+00')'
recovery_target_action = 'promote'
CONF
touch "$2/recovery.signal"
echo "from $1/base/$base: start PostgreSQL"
