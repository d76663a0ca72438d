#!/usr/bin/env bash
# Orders energy for an address and waits until it is final. Needs bash and curl 7.71 or newer.
#   SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… ./first-delegation.sh
set -euo pipefail

# New for each order, and the same for each repeat of it: curl may repeat as often as it likes, the order is placed once.
key=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)
head=$(mktemp) body=$(mktemp)
trap 'rm -f "$head" "$body"' EXIT

# Repeats after a cut line, a time-out, a 429 or a 5xx, as Retry-After says.
call() {
  curl --silent --show-error --max-time 30 --retry 5 --retry-all-errors --retry-max-time 120 \
    --header "Authorization: Bearer $API_TOKEN" --dump-header "$head" --output "$body" --write-out '%{http_code}' "$@" || true
}

status=$(call "$SERVICE_URL/api/chain/delegate-resource" \
  --header 'Content-Type: application/json' --header "Idempotency-Key: $key" \
  --data "{\"receiver_address\":\"$RECEIVER\",\"amount\":1}")
if [ "$status" = 000 ]; then
  echo "no answer: try again with the same key, now or tomorrow: $key" >&2
  exit 1
fi
if [ "$status" != 200 ]; then
  echo "not delegated, not charged: $(tr -d '\r' <"$head" | sed -n 's/^x-error-code: //Ip' | tail -n 1) $(cat "$body")" >&2
  exit 1
fi
id=$(tr -d '\r' <"$head" | sed -n 's/^x-delegation-id: //Ip' | tail -n 1)

# `delegated` is final and charged. Better than to ask: a webhook (verify-webhook.sh).
for _ in $(seq 60); do
  call "$SERVICE_URL/api/chain/delegations/$id" >/dev/null
  state=$(sed -E 's/.*"state":"([a-z_]+)".*/\1/' "$body")
  case $state in
    delegated | reclaiming | reclaimed) echo "$id $state" && exit 0 ;;
    failed | taking_back | taken_back) echo "$id $state: not charged" >&2 && exit 1 ;;
  esac
  sleep 2
done
echo "$id is still $state" >&2
exit 1
