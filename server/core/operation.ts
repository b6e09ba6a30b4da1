import type { z } from "zod";
import type { Actor, Ctx, ScopeDemand, TxCtx, Visitor } from "./context";
import type { Id, Telling } from "./ids";
import { transaction, type Tx } from "./transaction";
import { DomainError } from "./errors";
import { parseInput } from "./input";
import { retryDeadlock } from "./retry-deadlock";
import type { Scope } from "./scopes";

interface Definition<I extends z.ZodType, O, C extends Ctx> {
  /** The verb as the API names it, e.g. "credentials.revoke". */
  name: string;
  /** The scope that the actor needs: one, any one of several, or a function if it depends on the input. */
  scope: Scope | ScopeDemand | ((input: z.output<I>) => Scope);
  /** A second scope that the actor must always hold too, e.g. subjects:read where the answer names people. */
  alsoScope?: Scope;
  input: I;
  run(ctx: C, input: z.output<I>): Promise<O>;
  /** The ETag of the answer (core/entity-tag.ts), if it is one resource that can be changed. */
  tag?(output: NoInfer<O>): string;
}

/** One verb of the service, called by REST, the console and jobs with a context and the wire input. */
export interface Operation<I extends z.ZodType = z.ZodType, O = unknown> {
  (ctx: Ctx, input: z.input<I>): Promise<O>;
  /**
   * Set for a command with `prepare`: does the preparations and returns a function for the rest. For callers with their
   * own transaction, so that the preparations are done before it begins.
   */
  prepared?(ctx: Ctx, input: z.input<I>): Promise<(ctx: Ctx) => Promise<O>>;
  readonly operation: {
    name: string;
    kind: "command" | "query";
    input: I;
    scope: Definition<I, O, never>["scope"];
    alsoScope?: Scope;
    tag?(output: O): string;
  };
}

interface CommandDefinition<I extends z.ZodType, O, P> extends Omit<Definition<I, O, TxCtx>, "run"> {
  /** Work that is slow or outside the database, such as storing a file. It is done before the transaction begins. */
  prepare?(ctx: Ctx, input: z.output<I>): Promise<P>;
  /**
   * Required with `prepare`: checks in the transaction whether the actor may still act. A key can be revoked during the
   * preparations.
   */
  standing?: AsksStanding;
  run(ctx: TxCtx, input: z.output<I>, prepared: P): Promise<O>;
}

/**
 * Defines an operation that changes something. It runs in the caller's transaction, or else in its own. After a deadlock,
 * its own transaction is begun anew (docs/decisions/516), so `run` has no effects outside of the transaction.
 */
export function command<I extends z.ZodType, O, P = undefined>(
  definition: CommandDefinition<I, O, P>,
): Telling<Operation<I, O>, O> {
  if (definition.prepare && !definition.standing) throw new Error(`${definition.name} prepares, so it needs standing`);
  const runWithin = async (ctx: TxCtx, input: z.output<I>, prepared: P) => {
    if (definition.standing) await requireStanding(definition.standing, definition.scope, ctx, input);
    return definition.run(ctx, input, prepared);
  };
  const run = (ctx: Ctx, input: z.output<I>, prepared: P) =>
    ctx.tx
      ? runWithin(ctx as TxCtx, input, prepared)
      : retryDeadlock(() => transaction((tx) => runWithin({ ...ctx, tx }, input, prepared)));
  const call = async (ctx: Ctx, input: z.input<I>) => {
    const parsed = admit(definition, ctx, input);
    return run(ctx, parsed, (await definition.prepare?.(ctx, parsed)) as P);
  };
  const prepared = async (ctx: Ctx, input: z.input<I>) => {
    const made = (await definition.prepare?.(ctx, admit(definition, ctx, input))) as P;
    // Admit again, so that the context of the transaction also collects the demanded scopes.
    return async (within: Ctx) => run(within, admit(definition, within, input), made);
  };
  return Object.assign(call, {
    operation: { ...definition, kind: "command" as const },
    ...(definition.prepare && { prepared }),
  }) as unknown as Telling<Operation<I, O>, O>;
}

/** Defines an operation that only reads. */
export function query<I extends z.ZodType, O>(definition: Definition<I, O, Ctx>): Telling<Operation<I, O>, O> {
  const call = async (ctx: Ctx, input: z.input<I>) => definition.run(ctx, admit(definition, ctx, input));
  return Object.assign(call, { operation: { ...definition, kind: "query" as const } }) as unknown as Telling<
    Operation<I, O>,
    O
  >;
}

interface VisitorDefinition<I extends z.ZodType, P, O> {
  name: string;
  input: I;
  /**
   * Work before the transaction: limits on guessing, which must count even if the transaction is rolled back, and
   * hashing, which is slow.
   */
  prepare?(visitor: Visitor, input: z.output<I>): Promise<P>;
  run(visitor: Visitor, tx: Tx, input: z.output<I>, prepared: P): Promise<O>;
}

/**
 * Defines a command of somebody who has not signed in, with a password or a one-time link. It runs in one transaction
 * and writes an audit entry in the organisations concerned. The password or link authorises it; it has no scopes.
 *
 * Two kinds of writes are not operations: issuing access tokens (recorded as the client's last use, because a busy
 * client requests one for each call), and noting when a key or session was last used.
 */
export function visitorCommand<I extends z.ZodType, P = undefined, O = void>(definition: VisitorDefinition<I, P, O>) {
  const call = async (visitor: Visitor, input: z.input<I>): Promise<O> => {
    const parsed = parseInput(definition.input, input);
    const prepared = (await definition.prepare?.(visitor, parsed)) as P;
    return retryDeadlock(() => transaction((tx) => definition.run(visitor, tx, parsed, prepared)));
  };
  return Object.assign(call, { operation: { name: definition.name, kind: "visitor" as const } });
}

interface PersonDefinition<S, I extends z.ZodType, P, O> {
  name: string;
  input: I;
  /** As in visitorCommand. */
  prepare?(visitor: Visitor, session: S, input: z.output<I>): Promise<P>;
  /**
   * Required with `prepare`: checks in the transaction whether the session is still live, e.g. requireLiveSession
   * (server/access/session-stands.ts). A session can be ended while a password is hashed.
   */
  standing?(tx: Tx, session: S, now: Date): Promise<void>;
  run(visitor: Visitor, tx: Tx, session: S, input: z.output<I>, prepared: P): Promise<O>;
}

/**
 * Defines a command of a person on their own account and sessions, whatever their role: like visitorCommand, authorised
 * by the session.
 */
export function personCommand<S, I extends z.ZodType, P = undefined, O = void>(
  definition: PersonDefinition<S, I, P, O>,
) {
  if (definition.prepare && !definition.standing) throw new Error(`${definition.name} prepares, so it needs standing`);
  const call = async (visitor: Visitor, session: S, input: z.input<I>): Promise<O> => {
    const parsed = parseInput(definition.input, input);
    const prepared = (await definition.prepare?.(visitor, session, parsed)) as P;
    return retryDeadlock(() =>
      transaction(async (tx) => {
        await definition.standing?.(tx, session, new Date());
        return definition.run(visitor, tx, session, parsed, prepared);
      }),
    );
  };
  return Object.assign(call, { operation: { name: definition.name, kind: "person" as const } });
}

/** Stored work that is done later, step by step, on behalf of the actor who requested it. */
export interface Mandate {
  orgId: Id<"org">;
  /** Id of the stored work, used as the request id of everything that it does. */
  id: string;
  actor: Actor;
  /** As in Ctx. */
  accessToken?: string | undefined;
  /** The actor's scopes when the work was stored. The work never gets more. */
  scopes: readonly Scope[];
  /** The scope that each step needs. */
  needs: Scope;
}

/** Whether an actor may act now: with which scopes, or why no longer, in words for people. */
export type Standing = { scopes: ReadonlySet<Scope> } | { ended: string };

/** Checks whether an actor may act now. @throws DomainError organisation_suspended if the work has to wait */
type AsksStanding = (tx: Tx, who: Pick<Ctx, "orgId" | "actor" | "accessToken">, now: Date) => Promise<Standing>;

interface JobDefinition<M extends Mandate, O> {
  name: string;
  /** Checks whether the actor still exists and what it may do now, e.g. standingOf (server/access/standing.ts). */
  standing: AsksStanding;
  /** Does one step, with those of the stored scopes that the actor still has. */
  run(ctx: TxCtx, mandate: M): Promise<O>;
  /** Ends the work and records why. It acts as the job, not as the actor. */
  stop(ctx: TxCtx, mandate: M, why: string): Promise<O>;
}

/**
 * Defines the steps of work that is done later on somebody's behalf (contract section 3). Before each step it checks
 * whether the key, client or person still exists, and intersects the stored scopes with the present ones. If the work
 * may not go on, it is stopped. While its organisation is suspended, it waits, because `standing` throws.
 *
 * @example const runNextRows = jobCommand({ name: "bulk.run", standing: standingOf, run, stop }); await runNextRows(tx,
 *   job, now)
 */
export function jobCommand<M extends Mandate, O>(definition: JobDefinition<M, O>) {
  const call = async (tx: Tx, mandate: M, now: Date): Promise<O> => {
    const { orgId, id, actor, accessToken, needs } = mandate;
    const standing = await definition.standing(tx, mandate, now);
    const today = "scopes" in standing ? mandate.scopes.filter((scope) => standing.scopes.has(scope)) : [];
    const why =
      "ended" in standing
        ? standing.ended
        : today.includes(needs)
          ? null
          : `Who asked for this no longer has the scope ${needs}.`;
    if (why !== null)
      return definition.stop(
        { orgId, actor: { type: "job", id }, scopes: new Set(), requestId: id, now, tx },
        mandate,
        why,
      );
    return definition.run({ orgId, actor, accessToken, scopes: new Set(today), requestId: id, now, tx }, mandate);
  };
  return Object.assign(call, { operation: { name: definition.name, kind: "job" as const } });
}

function admit<I extends z.ZodType>(
  definition: Pick<Definition<I, unknown, never>, "scope" | "alsoScope" | "input">,
  ctx: Ctx,
  input: unknown,
): z.output<I> {
  const { scope } = definition;
  requireFixedScopes(ctx, definition);
  const parsed = parseInput(definition.input, input);
  if (typeof scope === "function") requireScope(ctx, scope(parsed));
  return parsed;
}

/** Requires the scopes that do not depend on the input. @throws DomainError insufficient_scope */
export function requireFixedScopes(
  ctx: Pick<Ctx, "scopes" | "metDemands">,
  { scope, alsoScope }: { scope: Scope | ScopeDemand | ((input: never) => Scope); alsoScope?: Scope },
): void {
  if (typeof scope !== "function") requireScope(ctx, scope);
  if (alsoScope) requireScope(ctx, alsoScope);
}

/**
 * Checks again, in the transaction, that the actor may act.
 * @throws DomainError invalid_token or unauthenticated if the actor was revoked since the request was admitted;
 *   insufficient_scope
 */
export async function requireStanding<Input>(
  standing: AsksStanding,
  scope: Scope | ScopeDemand | ((input: Input) => Scope),
  { tx, orgId, actor, accessToken, scopes }: TxCtx,
  input: Input,
): Promise<void> {
  const today = await standing(tx, { orgId, actor, accessToken }, new Date());
  if ("ended" in today)
    throw new DomainError(actor.type === "user" ? "unauthenticated" : "invalid_token", today.ended, {
      headers: { "www-authenticate": 'Bearer error="invalid_token"' },
    });
  const held = new Set([...scopes].filter((each) => today.scopes.has(each)));
  requireScope({ scopes: held }, typeof scope === "function" ? scope(input) : scope);
}

/** Requires a scope, or one of several. @throws DomainError insufficient_scope that names what is needed */
export function requireScope(ctx: Pick<Ctx, "scopes" | "metDemands">, wanted: Scope | ScopeDemand): void {
  const anyOf = typeof wanted === "string" ? ([wanted] as const) : wanted;
  if (anyOf.some((each) => ctx.scopes.has(each))) return void ctx.metDemands?.push(anyOf);
  const [scope] = anyOf;
  throw new DomainError(
    "insufficient_scope",
    `This needs the scope ${anyOf.join(" or ")}, which the token or role does not have.`,
    {
      members: { scope },
      headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  );
}
