import type { Language } from "./languages";
import type { Id } from "./ids";
import type { Scope } from "./scopes";
import type { Tx } from "./transaction";

/** Who acts. Recorded with every event and audit entry. */
export interface Actor {
  type: "api_key" | "oauth_client" | "user" | "job" | "operator" | "public";
  id: string;
}

/** Scopes of which any one is enough. */
export type ScopeDemand = readonly [Scope, ...Scope[]];

/**
 * A person who has not signed in, or who acts on their own account. A password, a one-time link or a session authorises
 * them, not scopes.
 */
export interface Visitor {
  /** The caller's address, as far as TRUST_PROXY lets it be known. */
  address: string;
  requestId: string;
  now: Date;
  /** The User-Agent header; "" if there was none. */
  userAgent?: string;
  /** The language of the page on which they act; absent where there is none. */
  language?: Language;
  /** The session of the browser's cookie, live or ended; null without one. */
  sessionId?: Id<"ses"> | null;
}

/** The context of every operation: the organisation, who acts, with which scopes, and the time. */
export interface Ctx {
  readonly orgId: Id<"org">;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<Scope>;
  readonly requestId: string;
  readonly now: Date;
  /** The hash of the OAuth access token with which a client acts. It can be revoked without revoking the client. */
  readonly accessToken?: string | undefined;
  /** The directory connection that the acting API key belongs to. It may have been deleted or paused meanwhile. */
  readonly connectorId?: Id<"con"> | undefined;
  /** The caller's transaction, which the operation joins. */
  readonly tx?: Tx;
  /**
   * Collects the scope demands that were met, so that a stored answer is replayed only to callers that meet them too
   * (server/http/rest/idempotency.ts).
   */
  readonly metDemands?: ScopeDemand[];
}

/** A context inside a transaction. Only commands have one, so only commands append events. */
export interface TxCtx extends Ctx {
  readonly tx: Tx;
}
