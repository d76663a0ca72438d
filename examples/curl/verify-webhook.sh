#!/usr/bin/env bash
# Checks a webhook (Standard Webhooks 1.0) whose body is on standard input. Needs bash and openssl. To look at one by hand: openssl gets
# the key as an argument, which other users of the machine can see, and a shell compares byte by byte. A server does it in its own language.
#   WEBHOOK_SECRET=whsec_… WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE='v1,…' ./verify-webhook.sh <body
set -euo pipefail

# As the bytes came: JSON that was parsed and written again has another signature.
body=$(mktemp)
trap 'rm -f "$body"' EXIT
cat >"$body"

if ! [[ $WEBHOOK_TIMESTAMP =~ ^[0-9]{1,12}$ ]]; then
  echo 'webhook-timestamp is not a Unix time' >&2
  exit 1
fi
age=$(($(date +%s) - 10#$WEBHOOK_TIMESTAMP))
if [ "${age#-}" -gt 300 ]; then
  echo 'webhook-timestamp is too old or too new' >&2
  exit 1
fi

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
expected=v1,$({ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" && cat "$body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 | tr -d '\n')
# Several while the secret is rotated.
for signature in $WEBHOOK_SIGNATURE; do
  if [ "$signature" = "$expected" ]; then
    printf '%s\n' "$(sed -E 's/.*"type" *: *"([a-z._]+)".*/\1/' "$body")"
    exit 0
  fi
done
echo 'webhook-signature does not match' >&2
exit 1
