import type { CredentialState } from "./states";

// effectiveState of states.ts in SQL. `now` is a parameter such as "$2"; the columns are those of the alias c.

const live = "c.state IN ('pending', 'active', 'suspended')";

/** SQL expression for the state at `now`. */
export function stateAt(now: string): string {
  return `CASE WHEN NOT (${live}) THEN c.state WHEN c.expires_at <= ${now} THEN 'expired'
    WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN 'active' ELSE c.state END`;
}

/** Two predicates that exclude each other. A credential is in the state if one of them holds. */
export interface InState {
  /** The state is written and no change is due: served by the index on the state, in the order of ids. */
  written: string;
  /**
   * The clock has led to the state, and no sweep has written it yet. These are few, and the index on due_at serves
   * them.
   */
  due?: string;
}

/** Returns the predicates for a state at `now`. Calls `now` only for predicates that need it. */
export function inState(state: CredentialState, now: () => string): InState {
  if (state === "revoked") return { written: `c.state = 'revoked'` };
  const written =
    state === "expired" ? `c.state = 'expired'` : `c.state = '${state}' AND (c.due_at IS NULL OR c.due_at > ${now()})`;
  if (state === "pending" || state === "suspended") return { written };
  // With a lower bound too, PostgreSQL expects few rows even where it plans without knowing the time.
  return { written, due: `c.due_at > '-infinity' AND c.due_at <= ${now()} AND ${stateAt(now())} = '${state}'` };
}

/** SQL expression for the time at which a credential became valid, even if that is not written yet. */
export function issuedAt(now: string): string {
  return `CASE WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN c.valid_from ELSE c.issued_at END`;
}
