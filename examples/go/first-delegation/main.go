// Orders energy for an address and waits until it is final. Needs Go 1.19 or newer and nothing else.
//
//	SERVICE_URL=https://energy.example.com API_TOKEN=… RECEIVER=T… go run ./first-delegation
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

type answer struct {
	status  int
	headers http.Header
	body    struct {
		Error   string              `json:"error"`
		Details map[string][]string `json:"details"`
		Data    struct {
			State string `json:"state"`
		} `json:"data"`
	}
}

var client = &http.Client{
	Timeout: 30 * time.Second,
	// The token is for this host alone.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// call returns an error when there was no answer, or none that is whole; an answer that is a failure is an answer too.
func call(method, path string, body []byte, key string) (*answer, error) {
	request, err := http.NewRequest(method, strings.TrimRight(os.Getenv("SERVICE_URL"), "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	given := &answer{status: response.StatusCode, headers: response.Header}
	if err := json.NewDecoder(response.Body).Decode(&given.body); err != nil {
		return nil, err
	}
	return given, nil
}

// callSafely repeats after a time-out, a 429 or a 5xx. An order keeps its Idempotency-Key, so it is placed once.
func callSafely(method, path string, body []byte, key string) (*answer, error) {
	for attempt := 0; ; attempt++ {
		given, err := call(method, path, body, key)
		wait := time.Second << attempt
		if err == nil {
			after, noWait := strconv.Atoi(given.headers.Get("Retry-After"))
			// With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
			if given.status < 429 || given.headers.Get("X-Delegation-Id") != "" || given.status == 501 && noWait != nil {
				return given, nil
			}
			if noWait == nil {
				wait = time.Duration(after) * time.Second
			}
		}
		if attempt == 4 || wait > time.Minute {
			return given, err
		}
		time.Sleep(wait)
	}
}

func quit(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}

func main() {
	// New for each order. Keep it with your payment: the same key has the answer, now or tomorrow.
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		quit("%v", err)
	}
	key := hex.EncodeToString(random)
	order, _ := json.Marshal(map[string]any{"receiver_address": os.Getenv("RECEIVER"), "amount": 1})
	given, err := callSafely("POST", "/api/chain/delegate-resource", order, key)
	if err != nil {
		quit("no answer (key %s): %v", key, err)
	}
	if given.status != 200 {
		quit("not delegated, not charged: %s %s %v", given.headers.Get("X-Error-Code"), given.body.Error, given.body.Details)
	}

	// `delegated` is final and charged. Better than to ask: a webhook (verify-webhook).
	id := given.headers.Get("X-Delegation-Id")
	for look := 0; look < 60; look++ {
		given, err = callSafely("GET", "/api/chain/delegations/"+id, nil, "")
		if err != nil {
			quit("no answer: %v", err)
		}
		switch given.body.Data.State {
		case "delegated", "reclaiming", "reclaimed":
			fmt.Println(id, given.body.Data.State)
			return
		case "failed", "taking_back", "taken_back":
			quit("%s %s: not charged", id, given.body.Data.State)
		}
		time.Sleep(2 * time.Second)
	}
	quit("%s is still %s", id, given.body.Data.State)
}
