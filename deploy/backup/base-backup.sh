#!/bin/sh
# Copies the whole cluster while it runs, and forgets what is older than the last KEEP copies (7) and what led up to them.
#
#   base-backup.sh /var/backups/zonewright
#
# Run as the user of PostgreSQL; PGHOST, PGUSER and the like say which server, as for every program of PostgreSQL's.
set -eu
folder=$1/base
mkdir -p "$folder"
# What a power cut has left.
find "$folder" -maxdepth 1 -name '.unfinished.*' -mtime +2 -exec rm -r {} +
unfinished=$(mktemp -d "$folder/.unfinished.XXXXXX")
trap 'rm -rf "$unfinished"' EXIT
# A shell that a signal ends does nothing of that by itself.
trap 'exit 1' HUP INT TERM
pg_basebackup --pgdata="$unfinished" --format=tar --gzip --wal-method=none --checkpoint=fast --no-password
sync "$unfinished"
# Its name is when it was whole: to no earlier moment can it be brought.
name=$(date -u +%Y%m%dT%H%M%S.%6NZ)
mv "$unfinished" "$folder/$name"

ls -1 "$folder" | head -n "-${KEEP:-7}" | while read -r old; do rm -r "${folder:?}/$old"; done
# The file of the log that each begins with, and of these the first. After a restore the oldest copy may be further in a timeline
# that was undone than newer ones are in theirs: a name without its first eight digits, the timeline, says how far it is.
first=$(
  for copy in "$folder"/*; do
    tar --occurrence=1 -xzOf "$copy/base.tar.gz" backup_label | sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p'
  done | sort --key=1.9 | head -n 1
)
pg_archivecleanup -x .gz "$1/wal" "$first"
echo "$folder/$name"
