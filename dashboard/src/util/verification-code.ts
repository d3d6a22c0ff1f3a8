/** A function that verifies a webhook, in a language. */
export interface VerificationCode {
  readonly id: 'typescript' | 'python' | 'php' | 'go'
  readonly label: string
  readonly code: string
}

/** What receivers copy: each function takes the headers and the raw body, and reads the secret from `WEBHOOK_SECRET`. */
export const verificationCodes: readonly VerificationCode[] = [
  {
    id: 'typescript',
    label: 'TypeScript',
    code: `import { verifyWebhook } from '@zonewright/webhook-verify'

/** Returns the event, or throws. Pass the raw body: do not parse it first. */
export function eventOf(headers: Headers, body: Uint8Array) {
  return verifyWebhook({ headers, body, secret: process.env.WEBHOOK_SECRET ?? '' })
}
`,
  },
  {
    id: 'python',
    label: 'Python',
    code: `import hashlib, hmac, json, os, time

def event_of(headers, body: bytes):
    """Returns the event, or raises ValueError. Pass the raw body: do not parse it first."""
    parts = [part.partition("=") for part in headers.get("Service-Signature", "").split(",")]
    at = next((value for name, _, value in parts if name == "t"), "")
    if not at.isdecimal() or abs(time.time() - int(at)) > 300:
        raise ValueError("There is no signature, or it is too old.")
    key = os.environ["WEBHOOK_SECRET"].encode()
    expected = hmac.new(key, at.encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    if not any(name == "v1" and hmac.compare_digest(expected, value.encode()) for name, _, value in parts):
        raise ValueError("The signature is wrong.")
    return json.loads(body)
`,
  },
  {
    id: 'php',
    label: 'PHP',
    code: `<?php
// Returns the event, or throws. $signature: $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? ''. $body: file_get_contents('php://input')
function event_of(string $signature, string $body): array {
    preg_match('/(?:^|,)t=(\\d{1,12})(?:,|$)/', $signature, $time);
    if (!$time || abs(time() - (int) $time[1]) > 300) {
        throw new RuntimeException('There is no signature, or it is too old.');
    }
    $expected = hash_hmac('sha256', $time[1] . '.' . $body, getenv('WEBHOOK_SECRET'));
    preg_match_all('/(?:^|,)v1=([0-9a-f]+)/', $signature, $found);
    foreach ($found[1] as $given) {
        if (hash_equals($expected, $given)) return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    }
    throw new RuntimeException('The signature is wrong.');
}
`,
  },
  {
    id: 'go',
    label: 'Go',
    code: `package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify checks that the service sent this body. Pass the raw body: do not decode it first.
func Verify(header http.Header, body []byte) error {
	var at string
	var given []string
	for _, part := range strings.Split(header.Get("Service-Signature"), ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			at = value
		case "v1":
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("there is no signature, or it is too old")
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("WEBHOOK_SECRET")))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	expected := hex.EncodeToString(mac.Sum(nil))
	for _, value := range given {
		if hmac.Equal([]byte(expected), []byte(value)) {
			return nil
		}
	}
	return errors.New("the signature is wrong")
}
`,
  },
]
