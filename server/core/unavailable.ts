import { DomainError } from "./errors";

interface Thrown {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  /** On Prisma's errors: the error of PostgreSQL or of the connection. */
  meta?: { driverAdapterError?: { cause?: unknown } };
}

/**
 * The codes of errors without a connection to the database (refused, closed or none free), or of a statement that took
 * too long (57014). Prisma's own codes begin with P.
 */
const codes = new Set<unknown>([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "57014",
  "P1001",
  "P1008",
  "P1017",
]);
const messages = /timeout exceeded when trying to connect|Query read timeout|Connection terminated|is not queryable/;

/** Turns an error of an unreachable database into a DomainError `unavailable`; undefined for any other error. */
export function unavailable(error: unknown): DomainError | undefined {
  if (!isUnreachable(error)) return undefined;
  return new DomainError(
    "unavailable",
    "The database cannot be reached. Try again shortly; where an Idempotency-Key was sent, with the same one.",
    { headers: { "retry-after": "2" } },
  );
}

function isUnreachable(error: unknown): boolean {
  const { code, originalCode, message, meta } = (error ?? {}) as Thrown;
  if (codes.has(code) || codes.has(originalCode) || messages.test(String(message))) return true;
  return meta?.driverAdapterError !== undefined && isUnreachable(meta.driverAdapterError.cause);
}
