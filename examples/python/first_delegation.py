"""Orders energy for an address and waits until it is final. Needs Python 3.9 or newer and nothing else.

SERVICE_URL=https://energy.example.com API_TOKEN=... RECEIVER=T... python3 first_delegation.py
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

SERVICE_URL = os.environ["SERVICE_URL"].rstrip("/")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The token is for this host alone."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def call(method, path, body=None, headers=None):
    """Status, headers and body; an answer that is a failure is an answer too."""
    request = urllib.request.Request(
        SERVICE_URL + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["API_TOKEN"], "Content-Type": "application/json", **(headers or {})},
    )
    try:
        with OPENER.open(request, timeout=30) as answer:
            return answer.status, answer.headers, json.load(answer)
    except urllib.error.HTTPError as failure:
        return failure.code, failure.headers, json.loads(failure.read() or "{}")


def call_safely(method, path, body=None, headers=None):
    """Repeats after a time-out, a 429 or a 5xx. An order keeps its Idempotency-Key, so it is placed once."""
    for attempt in range(5):
        wait = 2**attempt
        try:
            status, answered, content = call(method, path, body, headers)
            # With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
            is_final = status < 429 or "X-Delegation-Id" in answered or (status == 501 and "Retry-After" not in answered)
            if is_final or attempt == 4:
                return status, answered, content
            wait = int(answered.get("Retry-After", wait))
        except (OSError, ValueError) as error:  # no answer, or none that is whole
            if attempt == 4:
                raise SystemExit(f"no answer: {error}")
        if wait > 60:
            return status, answered, content
        time.sleep(wait)


def main():
    # New for each order. Keep it with your payment: the same key has the answer, now or tomorrow.
    key = str(uuid.uuid4())
    order = {"receiver_address": os.environ["RECEIVER"], "amount": 1}
    status, headers, answer = call_safely("POST", "/api/chain/delegate-resource", order, {"Idempotency-Key": key})
    if status != 200:
        sys.exit(f"not delegated, not charged: {headers.get('X-Error-Code')} {answer.get('error')} {answer.get('details', '')}")

    # `delegated` is final and charged. Better than to ask: a webhook (verify_webhook.py).
    delegation_id = headers["X-Delegation-Id"]
    for _ in range(60):
        status, headers, answer = call_safely("GET", f"/api/chain/delegations/{delegation_id}")
        state = answer["data"]["state"] if status == 200 else None
        if state in ("delegated", "reclaiming", "reclaimed"):
            print(delegation_id, state)
            return
        if state in ("failed", "taking_back", "taken_back"):
            sys.exit(f"{delegation_id} {state}: not charged")
        time.sleep(2)
    sys.exit(f"{delegation_id} is still {state}")


if __name__ == "__main__":
    main()
