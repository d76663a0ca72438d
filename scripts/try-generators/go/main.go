// With what openapi-generator has made, as it is: an order, its look-up until it is final, the balance, and a typed refusal.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	openapi "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(holds bool, seen ...any) {
	if !holds {
		fmt.Fprintln(os.Stderr, seen...)
		os.Exit(1)
	}
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.Servers = openapi.ServerConfigurations{{URL: os.Getenv("SERVICE_URL")}}
	client := openapi.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, os.Getenv("API_TOKEN"))

	request := openapi.NewDelegateRequest(os.Getenv("RECEIVER"), 1.5)
	request.SetTime(1440)
	request.SetActivateAddress(true)
	quote, _, err := client.EnergyAPI.GetQuote(ctx).ReceiverAddress(os.Getenv("RECEIVER")).Amount(1.5).Execute()
	check(err == nil, err)
	check(quote.Data.BurnCost > 0 && *quote.Data.PaidBy.Get() == openapi.SUBSCRIPTION && quote.Data.Transfer == nil, quote)
	key := fmt.Sprintf("go-%d", time.Now().UnixNano())
	result, response, err := client.EnergyAPI.DelegateResource(ctx).DelegateRequest(*request).IdempotencyKey(key).Execute()
	check(err == nil, err, response)
	id := response.Header.Get("X-Delegation-Id")

	var order openapi.Order
	for order.State != openapi.DELEGATED && order.State != openapi.FAILED {
		time.Sleep(time.Second)
		found, _, err := client.EnergyAPI.GetDelegation(ctx, id).Execute()
		check(err == nil, err)
		order = found.Data
	}
	check(order.State == openapi.DELEGATED, order)
	check(*order.Txid.Get() == result.Txid && order.Amount == 1.5 && order.Time == 1440, order)
	check(order.DelegatedAt.Get().Before(time.Now().Add(time.Minute)) && order.ReclaimedAt.Get() == nil, order)
	page, _, err := client.EnergyAPI.ListDelegations(ctx).State(openapi.DELEGATED).Limit(1).Execute()
	check(err == nil && page.Data[0].Id == id, err, page)
	balance, _, err := client.AccountAPI.GetBalance(ctx).Execute()
	check(err == nil && balance.Data.Balance > 0, err, balance)
	token, _, err := client.AccountAPI.GetToken(ctx).Execute()
	check(err == nil && token.Data.MaxCost.Get() == nil, err, token)

	request.SetAmount(1e12)
	_, response, err = client.EnergyAPI.DelegateResource(ctx).DelegateRequest(*request).Execute()
	check(err != nil && response.Header.Get("X-Error-Code") == "INSUFFICIENT_BALANCE", err, response)
	var refusal *openapi.GenericOpenAPIError
	check(errors.As(err, &refusal), err)
	failure, isError := refusal.Model().(openapi.Error)
	check(isError && !failure.Success && failure.Details == nil, refusal.Model())
	fmt.Println(id, order.State)
}
