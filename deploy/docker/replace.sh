#!/bin/sh
# After you build another version or change .env: replaces the containers of Zonewright one after the other, and waits each time until the
# new one is healthy. `docker compose up` alone would replace all of them at once. It stops at the first one that does not become healthy.
# At the end nginx reloads its configuration, which loses no request.
set -eu
cd "$(dirname "$0")"
./prepare.sh
for part in api-1 api-2 worker-1 worker-2 standby primary dns-door; do
  docker compose up --detach --no-deps --wait "$part"
done
# Nameservers read their key once, from a file. compose does not detect a change of only that file's content.
for part in ns1 ns2; do
  docker compose up --detach --no-deps --wait --force-recreate "$part"
done
docker compose exec -T proxy nginx -s reload
