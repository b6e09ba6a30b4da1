import type { CredentialState } from "./states";

// effectiveState of states.ts, said in SQL. `now` is a parameter such as "$2"; the columns are those of the alias c.

const live = "c.state IN ('pending', 'active', 'suspended')";

/** An expression: the state at `now`. */
export function stateAt(now: string): string {
  return `CASE WHEN NOT (${live}) THEN c.state WHEN c.expires_at <= ${now} THEN 'expired'
    WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN 'active' ELSE c.state END`;
}

/** Two predicates that exclude each other: one of them holds for a credential that is in a state at an instant. */
export interface InState {
  /** It is written so, and nothing is due: from the index on the state, in the order of ids. */
  written: string;
  /** Time has brought it there, and no sweep has written it yet: few, from the index of what is due. */
  due?: string;
}

/** What holds for a credential that is in this state at `now`, which is asked only where it is used. */
export function inState(state: CredentialState, now: () => string): InState {
  if (state === "revoked") return { written: `c.state = 'revoked'` };
  const written =
    state === "expired" ? `c.state = 'expired'` : `c.state = '${state}' AND (c.due_at IS NULL OR c.due_at > ${now()})`;
  if (state === "pending" || state === "suspended") return { written };
  // With a lower bound too, PostgreSQL expects few rows even where it plans without knowing the time.
  return { written, due: `c.due_at > '-infinity' AND c.due_at <= ${now()} AND ${stateAt(now())} = '${state}'` };
}

/** An expression: when it became valid, although that may not be written yet. */
export function issuedAt(now: string): string {
  return `CASE WHEN c.state = 'pending' AND c.valid_from <= ${now} THEN c.valid_from ELSE c.issued_at END`;
}
