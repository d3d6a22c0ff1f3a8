#!/bin/sh
# Prepares a cluster for a restore to a moment, or to the end of the log. When PostgreSQL is started on it, it replays the log automatically.
# until-restored.sh waits for that.
#
#   restore.sh /var/backups/zonewright /var/lib/postgresql/15/main [2026-11-20T14:05:00Z [TIMELINE]]
#
# Without a moment, PostgreSQL restores to the end of the log. Each restore starts a new timeline in the log. A restore to a moment uses the timeline
# of the last copy before it; a restore to the end uses the newest timeline. TIMELINE (a number, or "latest") selects another one.
#
# Run as the user of PostgreSQL. The folder of the cluster must be empty or missing: nothing is overwritten.
set -eu
[ -z "$(ls -A "$2" 2>/dev/null)" ] || { echo "$2 is not empty: move it away first" >&2; exit 1; }
[ -r "$1/base" ] || { echo "$1/base cannot be read by $(id -un)" >&2; exit 1; }
time=
timeline=${4:-latest}
before=end
if [ -n "${3:-}" ]; then
  time=$(date -u -d "$3" '+%Y-%m-%d %H:%M:%S.%6N+00')
  before=$(date -u -d "$3" +%Y%m%dT%H%M%S.%6NZ)
  timeline=${4:-current}
fi
base=$(ls -1 "$1/base" | awk -v before="$before" 'before == "end" || $0 <= before' | tail -n 1)
[ -n "$base" ] || { echo "there is no backup${3:+ as old as $3}" >&2; exit 1; }
mkdir -p "$2"
chmod 700 "$2"
tar -xzf "$1/base/$base/base.tar.gz" -C "$2"
# Every setting is written, even if it is empty, because the copy may be of a restored cluster and have that restore's settings.
cat >> "$2/postgresql.auto.conf" <<CONF
restore_command = 'gunzip -c "$1/wal/%f.gz" > "%p"'
recovery_target_time = '$time'
recovery_target_timeline = '$timeline'
recovery_target_action = 'promote'
CONF
touch "$2/recovery.signal"
echo "from $1/base/$base: start PostgreSQL, and wait with until-restored.sh"
