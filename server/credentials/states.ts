import { DomainError } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";

export const credentialStates = ["pending", "active", "suspended", "expired", "revoked"] as const;
export type CredentialState = (typeof credentialStates)[number];
export type CredentialAction = "issue" | "suspend" | "resume" | "expire" | "revoke";

/**
 * The table of contract section 7. An action that leads to the present state changes nothing and succeeds. An action
 * that is missing here is refused.
 */
const transitions: Record<CredentialState, Partial<Record<CredentialAction, CredentialState>>> = {
  pending: { issue: "active", expire: "expired", revoke: "revoked" },
  active: { suspend: "suspended", expire: "expired", revoke: "revoked" },
  suspended: { suspend: "suspended", resume: "active", expire: "expired", revoke: "revoked" },
  expired: { revoke: "revoked" },
  revoked: { revoke: "revoked" },
};

/** States in which a subject holds a credential: at most one live credential of a template (contract section 7). */
export const liveStates: readonly CredentialState[] = ["pending", "active", "suspended"];

/** Returns the state that an action leads to. @throws DomainError credential_state, naming state and action. */
export function nextState(
  credential: { id: Id<"crd">; state: CredentialState },
  action: CredentialAction,
): CredentialState {
  const next = transitions[credential.state][action];
  if (!next) {
    throw new DomainError("credential_state", `The credential is ${credential.state}; that does not allow ${action}.`, {
      members: { credentialId: publicId("crd", credential.id), state: credential.state, action },
    });
  }
  return next;
}

interface Timed {
  state: CredentialState;
  valid_from: Date;
  expires_at: Date | null;
}

/**
 * When the clock next changes the state: at the start of a pending credential or the end of a live one; null for never.
 * The column due_at is computed in the same way in SQL.
 */
export function dueAt({ state, valid_from, expires_at }: Timed): Date | null {
  if (!liveStates.includes(state)) return null;
  return state === "pending" && (expires_at === null || valid_from < expires_at) ? valid_from : expires_at;
}

/**
 * Returns the state at an instant. The stored state lags behind the clock until something writes it; readers never see
 * it.
 */
export function effectiveState({ state, valid_from, expires_at }: Timed, now: Date): CredentialState {
  if (!liveStates.includes(state)) return state;
  if (expires_at !== null && expires_at <= now) return "expired";
  return state === "pending" && valid_from <= now ? "active" : state;
}

/**
 * When a credential ended permanently: revoked, superseded or expired, whichever came first. Null while it is live,
 * which includes suspended.
 */
export function endedAt(credential: Timed & { revoked_at: Date | null }, now: Date): Date | null {
  if (liveStates.includes(effectiveState(credential, now))) return null;
  const { revoked_at, expires_at } = credential;
  return new Date(Math.min(...[now, revoked_at, expires_at].filter((end) => end !== null).map(Number)));
}
