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
	"io"
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
		Success bool                `json:"success"`
		TxID    string              `json:"txid"`
		Error   string              `json:"error"`
		Details map[string][]string `json:"details"`
		Data    []struct {
			ID    string `json:"id"`
			State string `json:"state"`
		} `json:"data"`
	}
}

// isSuccess: 200 with success and what was asked for, an order's txid or what was found. isRefusal: the service's own, and no gateway's.
func (a *answer) isSuccess(method string) bool {
	has := a.body.TxID != ""
	if method == "GET" {
		has = len(a.body.Data) > 0
	}
	return a.status == 200 && a.body.Success && has
}
func (a *answer) isRefusal() bool  { return a.status >= 400 && a.headers.Get("X-Error-Code") != "" }
func (a *answer) namesOrder() bool { return a.headers.Get("X-Delegation-Id") != "" }

var client = &http.Client{
	Timeout: 30 * time.Second,
	// The token is for this host alone.
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// call returns what came; a body that is no whole JSON object has no fields.
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
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	given := &answer{status: response.StatusCode, headers: response.Header}
	if json.Unmarshal(text, &given.body) != nil {
		given.body.Success = false
	}
	return given, nil
}

// waitOf reads Retry-After in whole seconds, bounded. Any other value says nothing.
func waitOf(header string, otherwise time.Duration) time.Duration {
	if header == "" || strings.Trim(header, "0123456789") != "" {
		return otherwise
	}
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds > 3600 {
		seconds = 3600
	}
	return time.Duration(seconds) * time.Second
}

// callSafely returns a success or the service's own refusal. All else is no answer, a 504 of a gateway and an empty 200 too: the order may have
// been placed and charged. It is sent again, with the same Idempotency-Key, so it is placed once.
func callSafely(method, path string, body []byte, key string) (*answer, error) {
	isLost := false
	for attempt := 0; ; attempt++ {
		given, err := call(method, path, body, key)
		wait, isFinal := time.Second<<attempt, false
		if err == nil {
			if given.isSuccess(method) {
				return given, nil
			}
			after := given.headers.Get("Retry-After")
			wait = waitOf(after, wait)
			// An attempt without an answer may still place the order: what a later one is refused says nothing of it, and a 400 or 501 is asked again.
			isOpen := isLost && !given.namesOrder()
			if !given.isRefusal() || isOpen {
				err = fmt.Errorf("status %d %s", given.status, given.headers.Get("X-Error-Code"))
			}
			// With an order it is that order's answer, and stays it. A 501 without Retry-After waits for money.
			isRefused := given.status < 429 || given.status == 501 && after == ""
			isAskedAgain := isOpen && (given.status == 400 || given.status == 501)
			isFinal = given.isRefusal() && (given.namesOrder() || isRefused && !isAskedAgain)
			isLost = isLost || !given.isRefusal()
		} else {
			isLost = true
		}
		if isFinal || attempt == 4 || wait > time.Minute {
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
		quit("no answer (%v): send the same order with the same key, now or tomorrow: %s", err, key)
	}
	if given.status != 200 {
		quit("not delegated, not charged: %s %s %v", given.headers.Get("X-Error-Code"), given.body.Error, given.body.Details)
	}

	// `delegated` is final and charged. Better than to ask: a webhook (verify-webhook).
	txID := given.body.TxID
	id, state := txID, "not known"
	for look := 0; look < 60; look++ {
		given, err = callSafely("GET", "/api/chain/delegations?txid="+txID, nil, "")
		if err == nil && given.status == 200 {
			id, state = given.body.Data[0].ID, given.body.Data[0].State
		}
		switch state {
		case "delegated", "reclaiming", "reclaimed":
			fmt.Println(id, state)
			return
		case "failed", "taking_back", "taken_back":
			quit("%s %s: not charged", id, state)
		}
		time.Sleep(2 * time.Second)
	}
	quit("%s is still %s", id, state)
}
