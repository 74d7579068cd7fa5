// Sends a message by HTTP and waits until it is delivered, with Go's standard library only.
// Run it against `everpost dev`: go run examples/send_http.go http://127.0.0.1:8080
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const tries = 3

var client = &http.Client{Timeout: 60 * time.Second}

// Problem is an RFC 9457 document. Code is stable, and Errors has the path of every invalid field.
type Problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Errors []struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	} `json:"errors"`
}

func (p *Problem) Error() string { return fmt.Sprintf("%s (%s)", p.Detail, p.Code) }

type message struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

// ask makes a request. It retries a reading, and a send with a key, since the same key means the same message.
func ask(method, url string, body any, key string, result any) error {
	payload := []byte{}
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		payload = encoded
	}
	mayRetry := method == http.MethodGet || key != ""
	for tried := 1; ; tried++ {
		wait, err := askOnce(method, url, payload, key, result)
		if err == nil || !mayRetry || wait < 0 || tried == tries {
			return err
		}
		time.Sleep(wait)
	}
}

// askOnce returns how long to wait before a retry. A negative time means that a retry cannot help.
func askOnce(method, url string, payload []byte, key string, result any) (time.Duration, error) {
	request, err := http.NewRequest(method, url, bytes.NewReader(payload))
	if err != nil {
		return -1, err
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	if apiKey := os.Getenv("EVERPOST_API_KEY"); apiKey != "" {
		request.Header.Set("Authorization", "Bearer "+apiKey)
	}
	response, err := client.Do(request)
	if err != nil {
		return time.Second, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return time.Second, err
	}
	if response.StatusCode < 300 {
		return -1, json.Unmarshal(text, result)
	}
	problem := &Problem{Status: response.StatusCode}
	if err := json.Unmarshal(text, problem); err != nil {
		return -1, fmt.Errorf("HTTP %d: %w", response.StatusCode, err)
	}
	if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
		return -1, problem
	}
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		seconds = 1
	}
	return time.Duration(seconds) * time.Second, problem
}

func sendBooking(baseURL, booking, to string) (message, error) {
	var begun, shown message
	request := map[string]any{
		"instance": "main",
		"to":       to,
		"content":  map[string]any{"kind": "text", "text": "Your table is booked for 7."},
	}
	if err := ask(http.MethodPost, baseURL+"/v1/messages", request, "booking-"+booking, &begun); err != nil {
		return begun, err
	}
	url := fmt.Sprintf("%s/v1/messages/%s?wait=delivered&timeoutMs=30000", baseURL, begun.ID)
	return shown, ask(http.MethodGet, url, nil, "", &shown)
}

func main() {
	baseURL, booking := "http://127.0.0.1:8080", "A17"
	if len(os.Args) > 1 {
		baseURL = os.Args[1]
	}
	if len(os.Args) > 2 {
		booking = os.Args[2]
	}
	sent, err := sendBooking(baseURL, booking, "15551234567")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(sent); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
