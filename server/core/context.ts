import type { Id } from "./ids";
import type { Scope } from "./scopes";
import type { Tx } from "./transaction";

/** Who acts. Kept with every event and audit entry. */
export interface Actor {
  type: "api_key" | "oauth_client" | "user" | "job" | "operator" | "public";
  id: string;
}

/** Scopes of which any one is enough. */
export type ScopeDemand = readonly [Scope, ...Scope[]];

/**
 * Someone who has not signed in, or who acts on their own account. What they may do, a password, a one-time link or a
 * session admits.
 */
export interface Visitor {
  /** The caller's address, as far as TRUST_PROXY lets it be known. */
  address: string;
  requestId: string;
  now: Date;
  /** The User-Agent header; "" where there was none. */
  userAgent?: string;
  /** The session that the browser brought along, live or not; null where it brought none. */
  sessionId?: Id<"ses"> | null;
}

/** What every operation is called with: whose data, who acts, with which scopes, and what time it is. */
export interface Ctx {
  readonly orgId: Id<"org">;
  readonly actor: Actor;
  readonly scopes: ReadonlySet<Scope>;
  readonly requestId: string;
  readonly now: Date;
  /** The hash of the OAuth access token by which a client acts. It can be revoked while its client lives. */
  readonly accessToken?: string | undefined;
  /** Set where the caller has a transaction that the operation joins. */
  readonly tx?: Tx;
  /**
   * Collects each demand for a scope that was met, so that a stored answer is repeated only to a caller who meets them
   * too (server/http/rest/idempotency.ts).
   */
  readonly metDemands?: ScopeDemand[];
}

/** A context inside a transaction. Only commands have one, so only commands append events. */
export interface TxCtx extends Ctx {
  readonly tx: Tx;
}
