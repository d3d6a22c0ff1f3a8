#!/bin/sh
# After another version was checked out, or a setting has changed: restarts what of Zonewright runs on this machine, one after the
# other, each once the one before it is ready. `systemctl restart` of several units would restart all of them at once. It ends at
# the first one that does not come up; the others go on as they are.
set -eu
running() { systemctl list-units --plain --no-legend "$1.service" | cut -d ' ' -f 1; }
units="$(running 'zonewright-api@*') $(running 'zonewright-worker@*') $(running zonewright-primary) $(running zonewright-nameserver)"
[ -n "$(echo $units)" ] || { echo 'nothing of Zonewright runs on this machine' >&2; exit 1; }
for unit in $units; do
  echo "$unit"
  systemctl restart "$unit"
done
