import { DomainError } from "./errors";

interface Thrown {
  code?: unknown;
  originalCode?: unknown;
  message?: unknown;
  /** Of Prisma's errors: what PostgreSQL or the connection said. */
  meta?: { driverAdapterError?: { cause?: unknown } };
}

/**
 * No connection to the database, one that it closed, none free, or a statement that took too long (57014). Prisma's own
 * codes begin with P.
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

/** The refusal to answer with, where the database could not be reached; nothing for any other error. */
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
