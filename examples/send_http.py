"""Sends a message by HTTP and waits until it is delivered, with Python's standard library only.

Run it against `everpost dev`: python3 examples/send_http.py http://127.0.0.1:8080
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

TRIES = 3


class EverpostError(Exception):
    """A refusal by the API. `problem` has code, detail and errors."""

    def __init__(self, problem: dict):
        super().__init__(problem.get("detail", "everpost's API refused the request"))
        self.problem = problem


def ask(base_url: str, method: str, path: str, body=None, key: str | None = None):
    """Makes a request. It retries a reading, and a send with a key, since the same key means the same message."""
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key is not None:
        headers["Idempotency-Key"] = key
    if api_key := os.environ.get("EVERPOST_API_KEY"):
        headers["Authorization"] = f"Bearer {api_key}"
    data = None if body is None else json.dumps(body).encode()
    for tried in range(1, TRIES + 1):
        request = urllib.request.Request(base_url + path, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            may_retry = error.code in (429, 503) and (method == "GET" or key is not None)
            if not may_retry or tried == TRIES:
                raise EverpostError(json.load(error)) from error
            time.sleep(float(error.headers.get("Retry-After", 1)))
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if tried == TRIES or (method != "GET" and key is None):
                raise
            time.sleep(tried)
    raise AssertionError("unreachable")


def send_booking(base_url: str, booking: str, to: str) -> dict:
    content = {"kind": "text", "text": "Your table is booked for 7."}
    message = {"instance": "main", "to": to, "content": content}
    begun = ask(base_url, "POST", "/v1/messages", message, key=f"booking-{booking}")
    query = urllib.parse.urlencode({"wait": "delivered", "timeoutMs": 30_000})
    shown = ask(base_url, "GET", f"/v1/messages/{begun['id']}?{query}")
    return {"id": shown["id"], "state": shown["state"]}


if __name__ == "__main__":
    url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
    booking = sys.argv[2] if len(sys.argv) > 2 else "A17"
    print(json.dumps(send_booking(url, booking, "15551234567")))
