#!/bin/sh
# After restore.sh, once PostgreSQL is started: waits until it has replayed its log up to the moment, and shows the progress. PostgreSQL
# accepts read-only connections long before that. Do not use it for anything else until this script has finished.
#
#   until-restored.sh
#
# Run as the user of PostgreSQL. PGHOST, PGUSER and so on select the server, as for every PostgreSQL program.
set -eu
state="case when pg_is_in_recovery() then coalesce('has replayed its log up to ' || pg_last_xact_replay_timestamp(), 'is replaying its log') else 'done' end"
shown=
silent=0
while :; do
  answer=0
  pg_isready --quiet || answer=$?
  case $answer in
    0)
      said=$(psql --no-psqlrc --no-password --tuples-only --no-align --dbname=postgres --command="select $state")
      silent=0
      ;;
    1)
      said='is replaying its log and accepts no connections yet'
      silent=0
      ;;
    *)
      silent=$((silent + 1))
      [ "$silent" -lt 10 ] || { echo 'PostgreSQL does not answer: its log says why it has ended' >&2; exit 1; }
      ;;
  esac
  if [ "${said:-}" = done ]; then break; fi
  if [ "${said:-}" != "$shown" ]; then
    shown=$said
    echo "PostgreSQL $shown"
  fi
  sleep 1
done
echo 'PostgreSQL is restored and accepts changes again'
