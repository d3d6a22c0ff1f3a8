#!/bin/sh
# A hook for lego's `exec` provider (--dns exec, EXEC_PATH=lego-hook.sh): answers ACME's DNS-01 challenges through the API.
#
# ZONEWRIGHT_URL   the API, such as https://dns.example.net/api/v1; without /api/v1 it will do, too
# ZONEWRIGHT_KEY   an API key with the permission acme:dns01, for this zone
# ZONEWRIGHT_ZONE  the zone's name
#
# lego says: present|cleanup _acme-challenge.<name>. <value>. Values are added and removed one by one, so that a wildcard
# and its apex, which share a name, do not disturb each other. The call is answered once every nameserver has the change. The name
# ends with a dot: one that is not in the zone is refused, and not taken as one below it.
set -eu
case $1 in
  present) change=add ;;
  cleanup) change=remove ;;
  *) exit 0 ;; # lego asks for a timeout, too: its own will do
esac
site=${ZONEWRIGHT_URL%/}
site=${site%/api/v1}
curl --fail-with-body --silent --show-error --request PATCH \
  --header "Authorization: Bearer $ZONEWRIGHT_KEY" --header 'Content-Type: application/json' --header 'Prefer: wait=30' \
  --data "{\"ttl\": 60, \"$change\": [\"\\\"$3\\\"\"]}" \
  "$site/api/v1/zones/$ZONEWRIGHT_ZONE/rrsets/${2%.}./TXT"
