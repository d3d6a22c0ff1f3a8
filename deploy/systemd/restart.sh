#!/bin/sh
# After you check out another version or change a setting: restarts everything of Zonewright on this machine, one unit after the
# other, and waits until each is ready. `systemctl restart` of several units would restart all of them at once. It stops at
# the first one that does not become ready; the others keep running. A nameserver with a socket unit leaves no query unanswered.
set -eu
units=$(
  for unit in 'zonewright-api@*' 'zonewright-worker@*' zonewright-primary zonewright-dns-door zonewright-nameserver 'zonewright-nameserver@*'; do
    systemctl list-units --plain --no-legend "$unit.service" | cut -d ' ' -f 1
  done
)
[ -n "$units" ] || { echo 'nothing of Zonewright runs on this machine' >&2; exit 1; }
for unit in $units; do
  echo "$unit"
  case $unit in
    # The other instance takes over the store, and answers, before this one stops; then back, so that the metrics stay on one port.
    zonewright-nameserver@9153.service)
      systemctl start zonewright-nameserver@9154.service
      systemctl stop "$unit"
      systemctl start "$unit"
      systemctl stop zonewright-nameserver@9154.service
      ;;
    # Left by a restart that failed half-way: it answers until the first one does again.
    zonewright-nameserver@*)
      systemctl start zonewright-nameserver@9153.service
      systemctl stop "$unit"
      ;;
    *) systemctl restart "$unit" ;;
  esac
done
