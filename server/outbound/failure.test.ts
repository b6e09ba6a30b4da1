import { expect, test } from "vitest";
import { exchangeFailure } from "./failure";

test.each([
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tls"],
  ["EPROTO", "tls"],
  ["ECONNRESET", "connect"],
  ["UND_ERR_SOCKET", "connect"],
])("%s instead of an answer is classified as %s", (code, errorClass) => {
  expect(exchangeFailure(Object.assign(new Error("what the peer said"), { code }))).toMatchObject({
    errorClass,
    message: expect.not.stringContaining("what the peer said"),
  });
});
