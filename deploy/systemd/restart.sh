#!/bin/sh
# After you check out another version or change a setting: restarts everything of Zonewright on this machine, one unit after the
# other, and waits until each is ready. `systemctl restart` of several units would restart all of them at once. It stops at
# the first one that does not become ready; the others keep running.
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
