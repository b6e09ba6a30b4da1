import type { CredentialState } from "./states";

// effectiveState of states.ts, said in SQL. `now` is a parameter such as "$2"; the columns are those of the alias c.

const live = "c.state IN ('pending', 'active', 'suspended')";
const running = (now: string) => `(c.expires_at IS NULL OR c.expires_at > ${now})`;

/** An expression: the state at `now`. */
export function stateAt(now: string): string {
  return `CASE WHEN NOT (${live}) THEN c.state WHEN c.expires_at <= ${now} THEN 'expired'
    WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN 'active' ELSE c.state END`;
}

/** A predicate: is in this state at `now`. Written so that an index on the stored state serves it; `now` is asked only where it is used. */
export function isInState(state: CredentialState, now: () => string): string {
  switch (state) {
    case "pending":
      return `(c.state = 'pending' AND c.valid_from > ${now()} AND ${running(now())})`;
    case "active":
      return `((c.state = 'active' OR (c.state = 'pending' AND c.valid_from <= ${now()})) AND ${running(now())})`;
    case "suspended":
      return `(c.state = 'suspended' AND ${running(now())})`;
    case "expired":
      return `(c.state = 'expired' OR (${live} AND c.expires_at <= ${now()}))`;
    case "revoked":
      return `(c.state = 'revoked')`;
  }
}

/** An expression: when it became valid, although that may not be written yet. */
export function issuedAt(now: string): string {
  return `CASE WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN c.valid_from ELSE c.issued_at END`;
}
