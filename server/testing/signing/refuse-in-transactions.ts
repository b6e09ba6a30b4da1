import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { isInTransaction } from "@/server/core/organisation-share";

/**
 * Makes every asymmetric signature throw while a database transaction is open (decision 501). A signature takes up to
 * milliseconds, and the locks of the transaction make other requests wait for it. The libraries that sign use one of
 * these three functions of Node.
 */
function refuse(): void {
  if (isInTransaction())
    throw new Error("Something was signed inside a database transaction. Sign before it begins or after its commit.");
}

const { sign, createSign } = crypto;
const { subtle } = crypto.webcrypto;
const subtleSign = subtle.sign.bind(subtle);

crypto.sign = ((...given: Parameters<typeof sign>) => {
  refuse();
  return sign(...given);
}) as typeof sign;
crypto.createSign = (...given) => {
  refuse();
  return createSign(...given);
};
subtle.sign = async (algorithm, key, data) => {
  // An HMAC takes microseconds.
  if (key.algorithm.name !== "HMAC") refuse();
  return subtleSign(algorithm, key, data);
};
syncBuiltinESMExports();
