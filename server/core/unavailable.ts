import { DomainError } from "./errors";
import { noteUnavailable } from "./outage-log";

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

/** A deadlock, a transaction that cannot be serialised, a lock that was not free in time. */
const contention = new Set<unknown>(["40P01", "40001", "55P03", "P2034"]);

/** PostgreSQL's class 53, insufficient resources: 53100 disk full, 53200 out of memory, 53400 a configured limit. */
const resources = /^53/;

/**
 * Turns an error of a database that cannot be reached, that lacks disk or memory, or that ended a transaction for the sake
 * of another one, into a DomainError `unavailable`; undefined for any other error. Logs the cause now and then (outage-log.ts).
 */
export function unavailable(error: unknown): DomainError | undefined {
  const outage = some(error, isUnreachable)
    ? "The database cannot be reached."
    : some(error, lacksResources)
      ? "The database has no space or memory left for this."
      : undefined;
  if (outage === undefined && !some(error, isContended)) return undefined;
  noteUnavailable(outage === undefined ? "contention" : "outage", error);
  const wrong = outage ?? "Other requests change the same records at this moment. Nothing was changed.";
  return new DomainError(
    "unavailable",
    `${wrong} Try again shortly; where an Idempotency-Key was sent, with the same one.`,
    { headers: { "retry-after": "2" } },
  );
}

/** Whether a condition holds for an error or, for one of Prisma's, for what PostgreSQL or the connection threw. */
function some(error: unknown, holds: (thrown: Thrown) => boolean): boolean {
  const thrown = (error ?? {}) as Thrown;
  if (holds(thrown)) return true;
  return thrown.meta?.driverAdapterError !== undefined && some(thrown.meta.driverAdapterError.cause, holds);
}

function isUnreachable({ code, originalCode, message }: Thrown): boolean {
  return codes.has(code) || codes.has(originalCode) || messages.test(String(message));
}

function isContended({ code, originalCode }: Thrown): boolean {
  return contention.has(code) || contention.has(originalCode);
}

function lacksResources({ code, originalCode }: Thrown): boolean {
  return resources.test(String(code)) || resources.test(String(originalCode));
}
