#!/bin/sh
# Copies the whole cluster while it runs, and deletes all but the last KEEP copies (7), with the log that only the deleted ones need.
#
#   base-backup.sh /var/backups/zonewright
#
# Run as the user of PostgreSQL. PGHOST, PGUSER and so on select the server, as for every PostgreSQL program.
set -eu
folder=$1/base
mkdir -p "$folder"
# Remove what a power failure has left.
find "$folder" -maxdepth 1 -name '.unfinished.*' -mtime +2 -exec rm -r {} +
unfinished=$(mktemp -d "$folder/.unfinished.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
# A shell that is ended by a signal does not run its EXIT trap otherwise.
trap 'exit 1' HUP INT TERM
pg_basebackup --pgdata="$unfinished" --format=tar --gzip --wal-method=none --checkpoint=fast --no-password
sync "$unfinished"
# The name is the time at which the copy was complete: it cannot be restored to an earlier moment.
name=$(date -u +%Y%m%dT%H%M%S.%6NZ)
mv "$unfinished" "$folder/$name"

ls -1 "$folder" | head -n "-${KEEP:-7}" | while read -r old; do rm -r "${folder:?}/$old"; done
# The log file with which each copy begins, and the first of these. After a restore, the oldest copy may be further on an
# undone timeline than newer copies are on theirs. The name without its first eight digits, the timeline, says how far it is.
first=$(
  for copy in "$folder"/*; do
    tar --occurrence=1 -xzOf "$copy/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p'
  done | sort --key=1.9 | head -n 1
)
pg_archivecleanup -x .gz "$1/wal" "$first"
echo "$folder/$name"
