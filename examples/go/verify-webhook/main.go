// Checks a webhook (Standard Webhooks 1.0) whose body is on standard input. Needs Go 1.19 or newer and nothing else.
//
//	WEBHOOK_SECRET=whsec_… WEBHOOK_ID=… WEBHOOK_TIMESTAMP=… WEBHOOK_SIGNATURE='v1,…' go run ./verify-webhook <body
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

var unixTime = regexp.MustCompile(`^\d{1,12}$`)

type event struct {
	Type      string          `json:"type"`
	Timestamp string          `json:"timestamp"`
	Data      json.RawMessage `json:"data"`
}

// verifyWebhook takes the body's bytes as they came. The same event may come again: remember its id.
func verifyWebhook(body []byte, id, timestamp, signatures, secret string) (*event, error) {
	if !unixTime.MatchString(timestamp) {
		return nil, errors.New("webhook-timestamp is not a Unix time")
	}
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return nil, errors.New("webhook-timestamp is too old or too new")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(key) == 0 {
		return nil, errors.New("the secret must be whsec_ followed by base64")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// Several while the secret is rotated.
	for _, given := range strings.Split(signatures, " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			var found event
			return &found, json.Unmarshal(body, &found)
		}
	}
	return nil, errors.New("webhook-signature does not match")
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err == nil {
		var found *event
		env := os.Getenv
		found, err = verifyWebhook(body, env("WEBHOOK_ID"), env("WEBHOOK_TIMESTAMP"), env("WEBHOOK_SIGNATURE"), env("WEBHOOK_SECRET"))
		if err == nil {
			fmt.Println(found.Type)
			return
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
