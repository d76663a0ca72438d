"""Checks a webhook (Standard Webhooks 1.0) whose body is on standard input. Needs Python 3.9 or newer and nothing else.

WEBHOOK_SECRET=whsec_... WEBHOOK_ID=... WEBHOOK_TIMESTAMP=... WEBHOOK_SIGNATURE='v1,...' python3 verify_webhook.py <body
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time

TOLERANCE_SECONDS = 300


def verify_webhook(body, webhook_id, timestamp, signatures, secret):
    """The event, or ValueError. `body`: the bytes as they came. The same event may come again: remember its id."""
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise ValueError("webhook-timestamp is not a Unix time")
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        raise ValueError("webhook-timestamp is too old or too new")
    key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if not key:
        raise ValueError("there is no secret")
    content = f"{webhook_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest())
    # Several while the secret is rotated.
    if not any(hmac.compare_digest(given.encode(), expected) for given in signatures.split(" ")):
        raise ValueError("webhook-signature does not match")
    return json.loads(body)


def main():
    env = os.environ
    try:
        event = verify_webhook(
            sys.stdin.buffer.read(),
            env["WEBHOOK_ID"],
            env["WEBHOOK_TIMESTAMP"],
            env["WEBHOOK_SIGNATURE"],
            env["WEBHOOK_SECRET"],
        )
    except ValueError as error:
        sys.exit(str(error))
    print(event["type"])


if __name__ == "__main__":
    main()
