#!/usr/bin/env bash
# Orders energy for an address and waits until it is final. Needs bash and curl.
#   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… ./first-delegation.sh
set -euo pipefail

# New for each order, and the same for each repeat of it: the order may be sent as often as it takes, it is placed once.
key=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
head=$(mktemp) body=$(mktemp)
trap 'rm -f "$head" "$body"' EXIT

header() {
  tr -d '\r' <"$head" | sed -n "s/^$1: //Ip" | tail -n 1
}

# Ends with `outcome`: success (200 with success and the field $1), refusal (of the service itself, with X-Error-Code), or none. All else is none,
# a 504 of a gateway and an empty 200 too: the order may have been placed and charged. It is sent again, with the same key.
call() {
  local wanted=$1 lost= attempt code after named
  shift
  for attempt in 0 1 2 3 4; do
    : >"$head"
    : >"$body"
    status=$(curl --silent --show-error --max-time 30 --header "Authorization: Bearer $API_TOKEN" \
      --dump-header "$head" --output "$body" --write-out '%{http_code}' "$@") || status=000
    code=$(header x-error-code) after=$(header retry-after) named=$(header x-delegation-id)
    outcome=none
    if [ "$status" = 200 ] && grep -q '"success":true' "$body" && grep -qE "\"$wanted\":(\"[^\"]|\[\{).*\}\$" "$body"; then
      outcome=success
      return
    elif [ "$status" -ge 400 ] && [ -n "$code" ]; then
      # An attempt without an answer may still place the order: what a later one is refused says nothing of it, and a 400 or 501 is asked again.
      if [ -z "$lost" ] || [ -n "$named" ]; then outcome=refusal; fi
      if [ "$outcome" = refusal ] || { [ "$status" != 400 ] && [ "$status" != 501 ]; }; then
        # With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
        if [ "$status" -lt 429 ] || [ -n "$named" ] || { [ "$status" = 501 ] && [ -z "$after" ]; }; then return; fi
      fi
    else
      lost=yes
    fi
    # What is no number says nothing; one with many digits is too long to wait.
    [[ $after =~ ^[0-9]+$ ]] || after=$((1 << attempt))
    if [ "$attempt" = 4 ] || [ "${#after}" -gt 6 ] || [ "$after" -gt 60 ]; then return; fi
    sleep "$after"
  done
}

call txid "$SERVICE_URL/api/chain/delegate-resource" \
  --header 'Content-Type: application/json' --header "Idempotency-Key: $key" \
  --data "{\"receiver_address\":\"$RECEIVER\",\"amount\":1}"
if [ "$outcome" = none ]; then
  echo "no answer: send the same order with the same key, now or tomorrow: $key" >&2
  exit 1
fi
if [ "$outcome" = refusal ]; then
  echo "not delegated, not charged: $(header x-error-code) $(cat "$body")" >&2
  exit 1
fi
txid=$(sed -E 's/.*"txid":"([0-9a-f]+)".*/\1/' "$body")

# `delegated` is final and charged. Better than to ask: a webhook (verify-webhook.sh).
id=$txid state='not known'
for _ in $(seq 60); do
  call data "$SERVICE_URL/api/chain/delegations?txid=$txid"
  if [ "$outcome" = success ]; then
    id=$(sed -E 's/.*"id":"([0-9a-f-]+)".*/\1/' "$body")
    state=$(sed -E 's/.*"state":"([a-z_]+)".*/\1/' "$body")
  fi
  case $state in
    delegated | reclaiming | reclaimed) echo "$id $state" && exit 0 ;;
    failed | taking_back | taken_back) echo "$id $state: not charged" >&2 && exit 1 ;;
  esac
  sleep 2
done
echo "$id is still $state" >&2
exit 1
