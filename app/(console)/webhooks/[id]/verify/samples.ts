/** Code that verifies svc-signature (spec 6.4), with the standard library of each language. */
export const samples = {
  node: {
    name: "Node",
    code: `import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.BONAFIDE_WEBHOOK_SECRET; // whsec_…

function verify(header, body) {
  const parts = (header ?? "").split(",").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  });
  const t = parts.find(([name]) => name === "t")?.[1];
  if (!t || !(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false;
  const expected = createHmac("sha256", secret).update(\`\${t}.\`).update(body).digest();
  return parts.some(([name, value]) => {
    const given = Buffer.from(value, "hex");
    if (name !== "v1" || given.length !== expected.length) return false;
    return timingSafeEqual(given, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks); // raw: verified before it is parsed
  if (!verify(request.headers["svc-signature"], body)) return response.writeHead(400).end();
  const event = JSON.parse(body);
  console.log(event.type, event.data.object.id);
  response.writeHead(204).end();
}).listen(8080);
`,
  },
  python: {
    name: "Python",
    code: `import hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = os.environ["BONAFIDE_WEBHOOK_SECRET"].encode()  # whsec_…

def verify(header: str, body: bytes) -> bool:
    parts = [part.partition("=")[::2] for part in header.split(",")]
    t = next((value for name, value in parts if name == "t"), "")
    signed = t.encode() + b"." + body
    expected = hmac.new(secret, signed, hashlib.sha256).hexdigest().encode()
    given = [value.encode() for name, value in parts if name == "v1"]
    if not any(hmac.compare_digest(value, expected) for value in given):
        return False
    return abs(time.time() - int(t)) <= 300  # what is signed is a number

class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))  # raw
        if not verify(self.headers.get("svc-signature", ""), body):
            self.send_response(400)
            return self.end_headers()
        event = json.loads(body)
        print(event["type"], event["data"]["object"]["id"])
        self.send_response(204)
        self.end_headers()

HTTPServer(("", 8080), Listener).serve_forever()
`,
  },
  go: {
    name: "Go",
    code: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

var secret = []byte(os.Getenv("BONAFIDE_WEBHOOK_SECRET")) // whsec_…

func verify(header string, body []byte) bool {
	var t string
	var given [][]byte
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" {
			t = value
		} else if name == "v1" {
			if signature, err := hex.DecodeString(value); err == nil {
				given = append(given, signature)
			}
		}
	}
	seconds, err := strconv.ParseInt(t, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range given {
		if hmac.Equal(signature, expected) {
			return true
		}
	}
	return false
}

func main() {
	if len(secret) == 0 {
		log.Fatal("BONAFIDE_WEBHOOK_SECRET is not set")
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // raw: verified before it is parsed
		if err != nil || !verify(r.Header.Get("svc-signature"), body) {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct{ Type string }
		json.Unmarshal(body, &event)
		fmt.Println(event.Type)
		w.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
`,
  },
  php: {
    name: "PHP",
    code: `<?php
$secret = getenv('BONAFIDE_WEBHOOK_SECRET') // whsec_…
    ?: throw new RuntimeException('BONAFIDE_WEBHOOK_SECRET is not set');

function verify(string $header, string $body, string $secret): bool
{
    $t = null;
    $given = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = explode('=', $part, 2) + [1 => ''];
        if ($name === 't') {
            $t = $value;
        } elseif ($name === 'v1') {
            $given[] = $value;
        }
    }
    if ($t === null || !ctype_digit($t) || abs(time() - (int) $t) > 300) {
        return false;
    }
    $expected = hash_hmac('sha256', "$t.$body", $secret);
    foreach ($given as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input'); // raw: verified before it is parsed
if (!verify($_SERVER['HTTP_SVC_SIGNATURE'] ?? '', $body, $secret)) {
    http_response_code(400);
    exit;
}
$event = json_decode($body, true);
error_log($event['type'] . ' ' . $event['data']['object']['id']);
http_response_code(204);
`,
  },
} as const;
