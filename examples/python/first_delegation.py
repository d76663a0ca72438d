"""Orders energy for an address and waits until it is final. Needs Python 3.9 or newer and nothing else.

SERVICE_URL=https://energy.example.com API_TOKEN=... RECEIVER=T... python3 first_delegation.py
"""

import http.client
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
        answer = OPENER.open(request, timeout=30)
    except urllib.error.HTTPError as failure:
        answer = failure
    with answer:
        return answer.status, answer.headers, answer.read()


def parse(text):
    try:
        content = json.loads(text)
    except ValueError:
        content = None
    return content if isinstance(content, dict) else {}


def seconds(header, otherwise):
    """What is no number says nothing; of one with thousands of digits the first are enough."""
    return int(header[:9]) if header and header.isdecimal() else otherwise


def call_safely(method, path, wanted, body=None, headers=None):
    """Status, headers and body of a success, which has the field `wanted`, or of the service's own refusal, which has X-Error-Code. None: no
    answer. All else is none, a 504 of a gateway and an empty 200 too: the order may have been placed and charged. It is sent again, with the
    same Idempotency-Key, so it is placed once."""
    is_lost = False
    for attempt in range(5):
        answered, refusal, is_final = {}, None, False
        try:
            status, answered, text = call(method, path, body, headers)
            content = parse(text)
            if status == 200 and content.get("success") is True and content.get(wanted):
                return status, answered, content
            if status >= 400 and "X-Error-Code" in answered:
                refusal = status, answered, content
        except (OSError, http.client.HTTPException):  # a cut line, or an answer that is not whole
            pass
        if refusal:
            names_order = "X-Delegation-Id" in answered
            # An attempt without an answer may still place the order: what a later one is refused says nothing of it, and a 400 or 501 is asked again.
            is_open = is_lost and not names_order
            # With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
            is_refused = status < 429 or (status == 501 and "Retry-After" not in answered)
            is_final = names_order or (is_refused and not (is_open and status in (400, 501)))
            if is_open:
                refusal = None
        else:
            is_lost = True
        wait = seconds(answered.get("Retry-After"), 2**attempt)
        if is_final or attempt == 4 or wait > 60:
            return refusal
        time.sleep(wait)


def main():
    # New for each order. Keep it with your payment: the same key has the answer, now or tomorrow.
    key = str(uuid.uuid4())
    order = {"receiver_address": os.environ["RECEIVER"], "amount": 1}
    given = call_safely("POST", "/api/chain/delegate-resource", "txid", order, {"Idempotency-Key": key})
    if given is None:
        sys.exit(f"no answer: send the same order with the same key, now or tomorrow: {key}")
    status, headers, answer = given
    if status != 200:
        sys.exit(f"not delegated, not charged: {headers['X-Error-Code']} {answer.get('error')} {answer.get('details', '')}")

    # `delegated` is final and charged. Better than to ask: a webhook (verify_webhook.py).
    for _ in range(60):
        given = call_safely("GET", f"/api/chain/delegations?txid={answer['txid']}", "data")
        found = given[2]["data"][0] if given and given[0] == 200 else {"id": answer["txid"], "state": "not known"}
        if found["state"] in ("delegated", "reclaiming", "reclaimed"):
            print(found["id"], found["state"])
            return
        if found["state"] in ("failed", "taking_back", "taken_back"):
            sys.exit(f"{found['id']} {found['state']}: not charged")
        time.sleep(2)
    sys.exit(f"{found['id']} is still {found['state']}")


if __name__ == "__main__":
    main()
