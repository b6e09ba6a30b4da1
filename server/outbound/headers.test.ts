import { expect, test } from "vitest";
import { outboundHeadersProblem } from "./headers";

test("ordinary headers pass", () => {
  expect(outboundHeadersProblem({ "content-type": "application/json", "X-Custom": "a b\tc" })).toBeNull();
});

test.each([
  ["an empty name", { "": "a" }, "not a header name"],
  ["a name with a line break", { "a\r\nb": "c" }, "not a header name"],
  ["a value with a line break", { a: "b\r\nx: y" }, "printable ASCII"],
  ["a value with a NUL", { a: "\0" }, "printable ASCII"],
  ["another host", { Host: "internal" }, "cannot be set"],
  ["another length", { "Content-Length": "0" }, "cannot be set"],
  ["chunks", { "transfer-encoding": "chunked" }, "cannot be set"],
  ["compression", { "Accept-Encoding": "gzip" }, "cannot be set"],
  ["the claim that the body is compressed", { "Content-Encoding": "gzip" }, "cannot be set"],
  ["an upgrade to HTTP/2", { "HTTP2-Settings": "AAMAAABkAARAAAAAAAIAAAAA" }, "cannot be set"],
  ["another time", { Date: "Fri, 20 Nov 2026 12:00:00 GMT" }, "cannot be set"],
  ["a proxy on the way", { Via: "1.1 gateway" }, "cannot be set"],
  ["another sender", { Forwarded: "for=10.0.0.1" }, "cannot be set"],
])("%s is refused", (_, headers, words) => {
  expect(outboundHeadersProblem(headers as Record<string, string>)).toContain(words);
});
