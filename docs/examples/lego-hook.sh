#!/bin/sh
# A hook for lego's `exec` provider (--dns exec, EXEC_PATH=lego-hook.sh): answers ACME's DNS-01 challenges through the API.
#
# ZONEWRIGHT_URL   the API, such as https://dns.example.net/api/v1; /api/v1 may be left out
# ZONEWRIGHT_KEY   an API key with the permission acme:dns01, for this zone
# ZONEWRIGHT_ZONE  the zone's name. Needed only if the key does not cover exactly one zone: otherwise the API names it
#
# lego passes: present|cleanup _acme-challenge.<name>. <value>. The call returns once every nameserver has the change. The name
# ends with a dot, so that a name that is not in the zone is refused instead of being read as a name below it.
#
# lego presents one value after the other, and a wildcard and its apex share a name. The resolvers of a certificate authority cache the first
# value for its TTL, so the second value of a name is presented only after that. Other names do not wait.
set -eu
case $1 in
  present) change=add ;;
  cleanup) change=remove ;;
  *) exit 0 ;; # lego also asks for a timeout: its default is fine
esac
: "${ZONEWRIGHT_URL:?must be set to the API, such as https://dns.example.net/api/v1}"
: "${ZONEWRIGHT_KEY:?must be set to an API key with the permission acme:dns01}"
site=${ZONEWRIGHT_URL%/}
site=${site%/api/v1}

# Prints the zone of a key that covers exactly one. In the response, `zones` is "all", or a list of names or of objects with a name and a
# kind.
zone_of_key() {
  key=$(curl --fail-with-body --silent --show-error --header "Authorization: Bearer $ZONEWRIGHT_KEY" \
    "$site/api/v1/api-keys/current") || {
    printf '%s\n' "$key" >&2
    return 1
  }
  scope=$(printf '%s\n' "$key" | sed -n 's/.*"zones":\(\[[^]]*\]\).*/\1/p')
  case $scope in
    *'"kind":'*) names=$(printf '%s\n' "$scope" | tr '}' '\n' | sed -n '/"kind":"zone"/s/.*"name":"\([^"]*\)".*/\1/p') ;;
    *) names=$(printf '%s\n' "$scope" | tr -d '"[]' | tr ',' '\n' | sort -u) ;;
  esac
  count=$(printf '%s\n' "$names" | grep -c .) || count=0
  if [ "$count" = 1 ]; then
    printf '%s\n' "$names"
    return 0
  fi
  case $key in
    *'"zones":"all"'*) echo 'ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for all zones.' >&2 ;;
    *'"zones":['*) echo "ZONEWRIGHT_ZONE must be set to the name of the zone: the key is for $count zones." >&2 ;;
    *) echo "$site/api/v1/api-keys/current does not answer as the API does: check ZONEWRIGHT_URL." >&2 ;;
  esac
  return 1
}

zone=${ZONEWRIGHT_ZONE:-}
if [ -z "$zone" ]; then zone=$(zone_of_key); fi

# The time at which the last value of a name was removed, in seconds since 1970: one file per name.
ttl=30
marks=${TMPDIR:-/tmp}/zonewright-lego-$(id -u)
mark=$marks/${2%.}
if [ "$change" = add ] && [ -O "$mark" ]; then
  removed=$(cat "$mark")
  left=$((ttl - $(date +%s) + ${removed:-0}))
  if [ "$left" -gt 0 ] && [ "$left" -le "$ttl" ]; then sleep "$left"; fi
fi
curl --fail-with-body --silent --show-error --request PATCH \
  --header "Authorization: Bearer $ZONEWRIGHT_KEY" --header 'Content-Type: application/json' --header 'Prefer: wait=30' \
  --data "{\"ttl\": $ttl, \"$change\": [\"\\\"$3\\\"\"]}" \
  "$site/api/v1/zones/$zone/rrsets/${2%.}./TXT"
if [ "$change" = remove ] && { mkdir -m 700 "$marks" 2>/dev/null || [ -O "$marks" ]; }; then date +%s >"$mark"; fi
