#!/usr/bin/env sh
# A DNS API for acme.sh (--dns dns_zonewright, this file in ~/.acme.sh/dnsapi/): answers ACME's DNS-01 challenges.
#
# ZONEWRIGHT_URL   the service, such as https://dns.example.net
# ZONEWRIGHT_KEY   an API key with the permission acme:dns01, for this zone
# ZONEWRIGHT_ZONE  the zone's name

# acme.sh calls these two with the name of the challenge and its value.
dns_zonewright_add() { _zonewright_change add "$1" "$2"; }
dns_zonewright_rm() { _zonewright_change remove "$1" "$2"; }

# Values are added and removed one by one: a wildcard and its apex share a name. Answered once every nameserver has the change.
_zonewright_change() {
  curl --fail-with-body --silent --show-error --request PATCH \
    --header "Authorization: Bearer $ZONEWRIGHT_KEY" --header 'Content-Type: application/json' --header 'Prefer: wait=30' \
    --data "{\"ttl\": 60, \"$1\": [\"\\\"$3\\\"\"]}" \
    "$ZONEWRIGHT_URL/api/v1/zones/$ZONEWRIGHT_ZONE/rrsets/${2%.}/TXT" >/dev/null
}
