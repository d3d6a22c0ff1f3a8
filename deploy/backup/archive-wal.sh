#!/bin/sh
# PostgreSQL's archive_command: keeps a finished piece of the transaction log, compressed: what archive_timeout ends early has 16 MiB
# all the same, mostly zeros.
#
#   archive_command = '/opt/zonewright/deploy/backup/archive-wal.sh /var/backups/zonewright %p %f'
#
# It appears whole or not at all, and one that is there already is never replaced by another one (PostgreSQL's manual, 26.3.1).
set -eu
archive=$1/wal
mkdir -p "$archive"
if [ -e "$archive/$3.gz" ]; then gunzip -c "$archive/$3.gz" | cmp -s - "$2"; exit; fi
gzip -c "$2" > "$archive/.$3.unfinished"
sync "$archive/.$3.unfinished"
mv "$archive/.$3.unfinished" "$archive/$3.gz"
sync "$archive"
