import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Verifies svc-signature; written only from section 6.4 of the specification.
 * @param now Unix time in seconds.
 * @param pick which of two equal names it keeps: the section does not say.
 */
export function verify(header: string, rawBody: string, secret: string, now: number, pick: "first" | "last"): boolean {
  const parts = new Map<string, string>();
  for (const part of header.split(",")) {
    const mark = part.indexOf("=");
    const [name, value] = [part.slice(0, mark), part.slice(mark + 1)];
    if (pick === "last" || !parts.has(name)) parts.set(name, value);
  }
  const [t, v1] = [parts.get("t"), parts.get("v1")];
  if (t === undefined || v1 === undefined) return false;
  const expected = createHmac("sha256", secret).update(`${t}.${rawBody}`).digest("hex");
  if (expected.length !== v1.length || !timingSafeEqual(Buffer.from(expected), Buffer.from(v1))) return false;
  return Math.abs(now - Number(t)) <= 300;
}
