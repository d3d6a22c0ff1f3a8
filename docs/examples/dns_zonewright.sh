#!/usr/bin/env sh
# A DNS API for acme.sh (--dns dns_zonewright, this file in ~/.acme.sh/dnsapi/): answers ACME's DNS-01 challenges.
#
# ZONEWRIGHT_URL   the API, such as https://dns.example.net/api/v1; without /api/v1 it will do, too
# ZONEWRIGHT_KEY   an API key with the permission acme:dns01, for this zone
# ZONEWRIGHT_ZONE  the zone's name
#
# acme.sh keeps the three that were set when a certificate was issued, and renews it with them by itself; those that are set then go
# before them.

# acme.sh calls these two with the name of the challenge and its value.
dns_zonewright_add() { _zonewright_change add "$1" "$2"; }
dns_zonewright_rm() { _zonewright_change remove "$1" "$2"; }

# Values are added and removed one by one: a wildcard and its apex share a name. Answered once every nameserver has the change.
# The name ends with a dot: one that is not in the zone is refused, and not taken as one below it.
_zonewright_change() {
  _zonewright_settings || return 1
  _zonewright_site=${ZONEWRIGHT_URL%/}
  _zonewright_answer=$(curl --fail-with-body --silent --show-error --request PATCH \
    --header "Authorization: Bearer $ZONEWRIGHT_KEY" --header 'Content-Type: application/json' --header 'Prefer: wait=30' \
    --data "{\"ttl\": 60, \"$1\": [\"\\\"$3\\\"\"]}" \
    "${_zonewright_site%/api/v1}/api/v1/zones/$ZONEWRIGHT_ZONE/rrsets/${2%.}./TXT") || {
    echo "$_zonewright_answer" >&2
    return 1
  }
}

# Those of the environment, else those that acme.sh has kept with the certificate; without acme.sh (its two functions) those of the
# environment alone. Each certificate has its own: another one may be of another zone, and so of another key.
_zonewright_settings() {
  if command -v _readdomainconf >/dev/null; then
    ZONEWRIGHT_URL=${ZONEWRIGHT_URL:-$(_readdomainconf ZONEWRIGHT_URL)}
    ZONEWRIGHT_KEY=${ZONEWRIGHT_KEY:-$(_readdomainconf ZONEWRIGHT_KEY)}
    ZONEWRIGHT_ZONE=${ZONEWRIGHT_ZONE:-$(_readdomainconf ZONEWRIGHT_ZONE)}
  fi
  if [ -z "$ZONEWRIGHT_URL" ] || [ -z "$ZONEWRIGHT_KEY" ] || [ -z "$ZONEWRIGHT_ZONE" ]; then
    echo 'ZONEWRIGHT_URL, ZONEWRIGHT_KEY and ZONEWRIGHT_ZONE must be set.' >&2
    return 1
  fi
  if command -v _savedomainconf >/dev/null; then
    _savedomainconf ZONEWRIGHT_URL "$ZONEWRIGHT_URL"
    _savedomainconf ZONEWRIGHT_KEY "$ZONEWRIGHT_KEY"
    _savedomainconf ZONEWRIGHT_ZONE "$ZONEWRIGHT_ZONE"
  fi
}
