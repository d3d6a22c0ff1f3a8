#!/bin/sh
# After another version was checked out, or a setting has changed: restarts what of Zonewright runs on this machine, one after the
# other, each once the one before it is ready. `systemctl restart` of several units would restart all of them at once. It ends at
# the first one that does not come up; the others go on as they are.
set -eu
units=$(
  for unit in 'zonewright-api@*' 'zonewright-worker@*' zonewright-primary zonewright-nameserver; do
    systemctl list-units --plain --no-legend "$unit.service" | cut -d ' ' -f 1
  done
)
[ -n "$units" ] || { echo 'nothing of Zonewright runs on this machine' >&2; exit 1; }
for unit in $units; do
  echo "$unit"
  systemctl restart "$unit"
done
