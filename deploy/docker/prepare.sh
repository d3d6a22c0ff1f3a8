#!/bin/sh
# Makes of .env what containers are given as files: the nameservers' key, and nginx's configuration with the service's own name.
# Before the first start; replace.sh does it at each change of .env and at each version.
set -eu
cd "$(dirname "$0")"
# tsig.key is read by another user in its container; on this machine root alone gets as far as here.
chmod 0700 .
# Written in place: containers that run go on seeing it.
sed -n 's/^TSIG_KEY=//p' .env > tsig.key
name=$(sed -n 's,^PUBLIC_URL=https://\([^/:]*\).*,\1,p' .env)
[ -n "$name" ] || { echo '.env: PUBLIC_URL must be https://, and the name of this service' >&2; exit 1; }
sed "s/dns\.example\.net/$name/g" ../nginx/zonewright.conf > proxy/zonewright.conf
chmod 0644 tsig.key proxy/zonewright.conf
