#!/bin/sh
# After another version was built, or .env has changed: replaces the containers of Zonewright one after the other, each once the one
# before it is healthy. `docker compose up` alone would replace all of them at once. It ends at the first one that does not come up.
# nginx reads its configuration anew at the end, which loses no request.
set -eu
cd "$(dirname "$0")"
./prepare.sh
for part in api-1 api-2 worker-1 worker-2 standby primary; do
  docker compose up --detach --no-deps --wait "$part"
done
# They read their key once, from a file: compose sees no change in them where only that file's content has changed.
for part in ns1 ns2; do
  docker compose up --detach --no-deps --wait --force-recreate "$part"
done
docker compose exec -T proxy nginx -s reload
