#!/bin/sh
# PostgreSQL's archive_command: archives a finished segment of the transaction log, compressed. A segment that archive_timeout ends early also has
# 16 MiB, mostly zeros.
#
#   archive_command = '/opt/zonewright/deploy/backup/archive-wal.sh /var/backups/zonewright %p %f'
#
# The file appears complete or not at all, and an existing file is never replaced by a different one (PostgreSQL's manual, 26.3.1).
set -eu
archive=$1/wal
mkdir -p "$archive"
if [ -e "$archive/$3.gz" ]; then gunzip -c "$archive/$3.gz" | cmp -s - "$2"; exit; fi
gzip -c "$2" > "$archive/.$3.unfinished"
sync "$archive/.$3.unfinished"
mv "$archive/.$3.unfinished" "$archive/$3.gz"
sync "$archive"
