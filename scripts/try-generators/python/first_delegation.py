"""With what openapi-generator has made, as it is: an order, its look-up until it is final, the balance, and a typed refusal."""

import datetime
import os
import time
import uuid

import openapi_client
from openapi_client.models.error import Error

configuration = openapi_client.Configuration(host=os.environ["SERVICE_URL"], access_token=os.environ["API_TOKEN"])
with openapi_client.ApiClient(configuration) as client:
    energy = openapi_client.EnergyApi(client)
    request = openapi_client.DelegateRequest(receiver_address=os.environ["RECEIVER"], amount=1.5, time=1440, activate_address=True)
    quote = energy.get_quote(receiver_address=os.environ["RECEIVER"], amount=1.5).data
    assert quote.burn_cost > 0 and quote.paid_by == openapi_client.Payer.SUBSCRIPTION and quote.transfer is None, quote
    answer = energy.delegate_resource_with_http_info(request, idempotency_key=str(uuid.uuid4()))
    order_id = answer.headers["X-Delegation-Id"]

    order = energy.get_delegation(order_id).data
    while order.state not in ("delegated", "failed"):
        time.sleep(1)
        order = energy.get_delegation(order_id).data
    assert order.state == openapi_client.OrderState.DELEGATED, order
    assert order.txid == answer.data.txid and order.amount == 1.5 and order.time == 1440, order
    assert isinstance(order.delegated_at, datetime.datetime) and order.reclaimed_at is None, order
    assert energy.list_delegations(state="delegated", limit=1).data[0].id == order.id
    account = openapi_client.AccountApi(client)
    assert account.get_balance().data.balance > 0
    assert account.get_token().data.max_cost is None

    request.amount = 10**12
    try:
        energy.delegate_resource(request)
        raise SystemExit("an order of 10^12 transactions was taken")
    except openapi_client.ApiException as failure:
        assert failure.headers["X-Error-Code"] == "INSUFFICIENT_BALANCE", failure
        assert isinstance(failure.data, Error) and failure.data.success is False and failure.data.details is None, failure.data
    print(order.id, order.state.value)
