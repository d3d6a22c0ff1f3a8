#!/bin/sh
# Creates from .env the files that containers need: the nameservers' key, and nginx's configuration with the service's name.
# Run it before the first start. replace.sh runs it at each change of .env and at each version.
set -eu
cd "$(dirname "$0")"
# Another user reads tsig.key in its container; on this machine only root can access this folder.
chmod 0700 .
# Written in place, so that running containers continue to see the file.
sed -n -e 's/^TSIG_KEY=//p' .env > tsig.key
sed -n -e 's/^TSIG_KEY_FALLBACK=\(.\)/\1/p' .env >> tsig.key
name=$(sed -n 's,^PUBLIC_URL=https://\([^/:]*\).*,\1,p' .env)
[ -n "$name" ] || { echo '.env: PUBLIC_URL must be https://, and the name of this service' >&2; exit 1; }
sed "s/dns\.example\.net/$name/g" ../nginx/zonewright.conf > proxy/zonewright.conf
chmod 0644 tsig.key proxy/zonewright.conf
