#!/usr/bin/env sh
# A DNS API for acme.sh (--dns dns_zonewright, this file in ~/.acme.sh/dnsapi/): answers ACME's DNS-01 challenges.
#
# ZONEWRIGHT_URL   the API, such as https://dns.example.net/api/v1; /api/v1 may be left out
# ZONEWRIGHT_KEY   an API key with the permission acme:dns01, for this zone
# ZONEWRIGHT_ZONE  the zone's name. Needed only if the key does not cover exactly one zone: otherwise the API names it
#
# acme.sh stores the variables that were set when a certificate was issued, and renews it with them. Variables that are set during a renewal
# take precedence.

# acme.sh calls these two functions with the name of the challenge and its value.
dns_zonewright_add() { _zonewright_change add "$1" "$2"; }
dns_zonewright_rm() { _zonewright_change remove "$1" "$2"; }

# Values are added and removed one by one, because a wildcard and its apex share a name. The call returns once every nameserver has the change.
# The name ends with a dot, so that a name that is not in the zone is refused instead of being read as a name below it.
_zonewright_change() {
  _zonewright_settings || return 1
  _zonewright_site=${ZONEWRIGHT_URL%/}
  _zonewright_site=${_zonewright_site%/api/v1}
  _zonewright_zone=${ZONEWRIGHT_ZONE:-}
  if [ -z "$_zonewright_zone" ]; then _zonewright_zone=$(_zonewright_zone_of_key) || return 1; fi
  _zonewright_answer=$(curl --fail-with-body --silent --show-error --request PATCH \
    --header "Authorization: Bearer $ZONEWRIGHT_KEY" --header 'Content-Type: application/json' --header 'Prefer: wait=30' \
    --data "{\"ttl\": 30, \"$1\": [\"\\\"$3\\\"\"]}" \
    "$_zonewright_site/api/v1/zones/$_zonewright_zone/rrsets/${2%.}./TXT") || {
    echo "$_zonewright_answer" >&2
    return 1
  }
}

# Prints the zone of a key that covers exactly one. In the response, `zones` is "all", or a list of names or of objects with a name and a
# kind.
_zonewright_zone_of_key() {
  _zonewright_key=$(curl --fail-with-body --silent --show-error --header "Authorization: Bearer $ZONEWRIGHT_KEY" \
    "$_zonewright_site/api/v1/api-keys/current") || {
    printf '%s\n' "$_zonewright_key" >&2
    return 1
  }
  _zonewright_scope=$(printf '%s\n' "$_zonewright_key" | sed -n 's/.*"zones":\(\[[^]]*\]\).*/\1/p')
  case $_zonewright_scope in
    *'"kind":'*) _zonewright_names=$(printf '%s\n' "$_zonewright_scope" | tr '}' '\n' | sed -n '/"kind":"zone"/s/.*"name":"\([^"]*\)".*/\1/p') ;;
    *) _zonewright_names=$(printf '%s\n' "$_zonewright_scope" | tr -d '"[]' | tr ',' '\n' | sort -u) ;;
  esac
  _zonewright_count=$(printf '%s\n' "$_zonewright_names" | grep -c .) || _zonewright_count=0
  if [ "$_zonewright_count" = 1 ]; then
    printf '%s\n' "$_zonewright_names"
    return 0
  fi
  case $_zonewright_key in
    *'"zones":"all"'*) echo 'ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for all zones.' >&2 ;;
    *'"zones":['*) echo "ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for $_zonewright_count zones." >&2 ;;
    *) echo "$_zonewright_site/api/v1/api-keys/current does not answer as the API does: check ZONEWRIGHT_URL." >&2 ;;
  esac
  return 1
}

# The variables of the environment, otherwise those that acme.sh has stored with the certificate; without acme.sh (its two functions), only those of the
# environment. Each certificate has its own, because another certificate may be for another zone with another key.
_zonewright_settings() {
  if command -v _readdomainconf >/dev/null; then
    ZONEWRIGHT_URL=${ZONEWRIGHT_URL:-$(_readdomainconf ZONEWRIGHT_URL)}
    ZONEWRIGHT_KEY=${ZONEWRIGHT_KEY:-$(_readdomainconf ZONEWRIGHT_KEY)}
    ZONEWRIGHT_ZONE=${ZONEWRIGHT_ZONE:-$(_readdomainconf ZONEWRIGHT_ZONE)}
  fi
  if [ -z "${ZONEWRIGHT_URL:-}" ] || [ -z "${ZONEWRIGHT_KEY:-}" ]; then
    echo 'ZONEWRIGHT_URL and ZONEWRIGHT_KEY must be set.' >&2
    return 1
  fi
  if command -v _savedomainconf >/dev/null; then
    _savedomainconf ZONEWRIGHT_URL "$ZONEWRIGHT_URL"
    _savedomainconf ZONEWRIGHT_KEY "$ZONEWRIGHT_KEY"
    if [ -n "${ZONEWRIGHT_ZONE:-}" ]; then _savedomainconf ZONEWRIGHT_ZONE "$ZONEWRIGHT_ZONE"; fi
  fi
}
