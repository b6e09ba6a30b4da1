import { DomainError } from "./errors";

/** Returns the error of a request that came too soon: its message and Retry-After say when to try again. */
export function rateLimited(what: string, waitMs: number): DomainError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const minutes = Math.ceil(seconds / 60);
  const wait = minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new DomainError("rate_limited", `${what} Try again in ${wait}.`, {
    headers: { "retry-after": String(seconds) },
  });
}
