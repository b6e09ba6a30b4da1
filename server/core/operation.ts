import type { z } from "zod";
import type { Actor, Ctx, ScopeDemand, TxCtx, Visitor } from "./context";
import type { Id, Telling } from "./ids";
import { transaction, type Tx } from "./transaction";
import { DomainError } from "./errors";
import { parseInput } from "./input";
import type { Scope } from "./scopes";

interface Definition<I extends z.ZodType, O, C extends Ctx> {
  /** The verb as the API names it, e.g. "credentials.revoke". */
  name: string;
  /** What the actor must hold; of several any one; a function where it depends on the input. */
  scope: Scope | ScopeDemand | ((input: z.output<I>) => Scope);
  input: I;
  run(ctx: C, input: z.output<I>): Promise<O>;
  /** The ETag of what is answered (core/entity-tag.ts), where it is one resource that can be changed. */
  tag?(output: NoInfer<O>): string;
}

/**
 * One verb of the service. Called with a context and the wire input; REST, console and jobs call the same one.
 */
export interface Operation<I extends z.ZodType = z.ZodType, O = unknown> {
  (ctx: Ctx, input: z.input<I>): Promise<O>;
  /**
   * Of a command with preparations: does them, and gives the rest of it. For a caller that brings a transaction, so
   * that they are done before it begins.
   */
  prepared?(ctx: Ctx, input: z.input<I>): Promise<(ctx: Ctx) => Promise<O>>;
  readonly operation: {
    name: string;
    kind: "command" | "query";
    input: I;
    scope: Definition<I, O, never>["scope"];
    tag?(output: O): string;
  };
}

interface CommandDefinition<I extends z.ZodType, O, P> extends Omit<Definition<I, O, TxCtx>, "run"> {
  /** What takes long or reaches beyond the database, such as storing a file: done before the transaction begins. */
  prepare?(ctx: Ctx, input: z.output<I>): Promise<P>;
  /**
   * Needed with `prepare`: asks in the transaction whether the actor still may. A key can be revoked while the
   * preparations take their time.
   */
  standing?: AsksStanding;
  run(ctx: TxCtx, input: z.output<I>, prepared: P): Promise<O>;
}

/** An operation that changes something. It runs in the caller's transaction, or in one of its own. */
export function command<I extends z.ZodType, O, P = undefined>(
  definition: CommandDefinition<I, O, P>,
): Telling<Operation<I, O>, O> {
  if (definition.prepare && !definition.standing) throw new Error(`${definition.name} prepares, so it needs standing`);
  const runWithin = async (ctx: TxCtx, input: z.output<I>, prepared: P) => {
    if (definition.standing) await requireStanding(definition.standing, definition.scope, ctx, input);
    return definition.run(ctx, input, prepared);
  };
  const run = (ctx: Ctx, input: z.output<I>, prepared: P) =>
    ctx.tx ? runWithin(ctx as TxCtx, input, prepared) : transaction((tx) => runWithin({ ...ctx, tx }, input, prepared));
  const call = async (ctx: Ctx, input: z.input<I>) => {
    const parsed = admit(definition, ctx, input);
    return run(ctx, parsed, (await definition.prepare?.(ctx, parsed)) as P);
  };
  const prepared = async (ctx: Ctx, input: z.input<I>) => {
    const made = (await definition.prepare?.(ctx, admit(definition, ctx, input))) as P;
    // Admitted again, so that the context of the transaction knows which scopes were asked for.
    return async (within: Ctx) => run(within, admit(definition, within, input), made);
  };
  return Object.assign(call, {
    operation: { ...definition, kind: "command" as const },
    ...(definition.prepare && { prepared }),
  }) as unknown as Telling<Operation<I, O>, O>;
}

/** An operation that only reads. */
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
   * What comes before the transaction: guess limits and hashing, which are slow and must count also where the rest is
   * undone.
   */
  prepare?(visitor: Visitor, input: z.output<I>): Promise<P>;
  run(visitor: Visitor, tx: Tx, input: z.output<I>, prepared: P): Promise<O>;
}

/**
 * What somebody does who has not signed in: with a password or a one-time link. It runs in one transaction, leaves an
 * audit entry in the organisations that it concerns, and holds no scope of any role: the password or link alone admits
 * it.
 *
 * Exceptions, written without an operation: access tokens (their trace is the client's last use, and one is issued per
 * request of a busy client), and when a key or session was last used.
 */
export function visitorCommand<I extends z.ZodType, P = undefined, O = void>(definition: VisitorDefinition<I, P, O>) {
  const call = async (visitor: Visitor, input: z.input<I>): Promise<O> => {
    const parsed = parseInput(definition.input, input);
    const prepared = (await definition.prepare?.(visitor, parsed)) as P;
    return transaction((tx) => definition.run(visitor, tx, parsed, prepared));
  };
  return Object.assign(call, { operation: { name: definition.name, kind: "visitor" as const } });
}

interface PersonDefinition<S, I extends z.ZodType, P, O> {
  name: string;
  input: I;
  /** As in visitorCommand. */
  prepare?(visitor: Visitor, session: S, input: z.output<I>): Promise<P>;
  /**
   * Needed with `prepare`: asks in the transaction whether the session still lives, e.g. requireLiveSession
   * (server/access/session-stands.ts). It can be ended while a password is hashed.
   */
  standing?(tx: Tx, session: S, now: Date): Promise<void>;
  run(visitor: Visitor, tx: Tx, session: S, input: z.output<I>, prepared: P): Promise<O>;
}

/**
 * What a person does with their own account and sessions, whatever their role: as visitorCommand, with the session that
 * admits it.
 */
export function personCommand<S, I extends z.ZodType, P = undefined, O = void>(
  definition: PersonDefinition<S, I, P, O>,
) {
  if (definition.prepare && !definition.standing) throw new Error(`${definition.name} prepares, so it needs standing`);
  const call = async (visitor: Visitor, session: S, input: z.input<I>): Promise<O> => {
    const parsed = parseInput(definition.input, input);
    const prepared = (await definition.prepare?.(visitor, session, parsed)) as P;
    return transaction(async (tx) => {
      await definition.standing?.(tx, session, new Date());
      return definition.run(visitor, tx, session, parsed, prepared);
    });
  };
  return Object.assign(call, { operation: { name: definition.name, kind: "person" as const } });
}

/** Stored work that is done later, step by step, on behalf of who asked for it. */
export interface Mandate {
  orgId: Id<"org">;
  /** Of the stored work; the request id of all that it does. */
  id: string;
  actor: Actor;
  /** As in Ctx. */
  accessToken?: string | undefined;
  /** The actor's scopes when the work was stored: it can never do more. */
  scopes: readonly Scope[];
  /** What each step needs. */
  needs: Scope;
}

/** Whether an actor may act now: with which scopes, or, in words for people, why no longer. */
export type Standing = { scopes: ReadonlySet<Scope> } | { ended: string };

/** @throws DomainError organisation_suspended where the work has to wait. */
type AsksStanding = (tx: Tx, who: Pick<Ctx, "orgId" | "actor" | "accessToken">, now: Date) => Promise<Standing>;

interface JobDefinition<M extends Mandate, O> {
  name: string;
  /** Asks whether the actor still lives and what it may do today, e.g. standingOf (server/access/standing.ts). */
  standing: AsksStanding;
  /** One step, with the stored scopes that the actor still has. */
  run(ctx: TxCtx, mandate: M): Promise<O>;
  /** Ends the work with a trace that says why. It acts as the job, not as the actor. */
  stop(ctx: TxCtx, mandate: M, why: string): Promise<O>;
}

/**
 * One step of work that acts later on somebody's behalf (contract section 3). Before each step it asks whether the key,
 * client or person still lives and intersects the stored scopes with today's; where the work may not go on, it is
 * stopped instead. While its organisation is suspended, it waits: `standing` throws.
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
  definition: Pick<Definition<I, unknown, never>, "scope" | "input">,
  ctx: Ctx,
  input: unknown,
): z.output<I> {
  const { scope } = definition;
  if (typeof scope !== "function") requireScope(ctx, scope);
  const parsed = parseInput(definition.input, input);
  if (typeof scope === "function") requireScope(ctx, scope(parsed));
  return parsed;
}

/**
 * @throws DomainError invalid_token or unauthenticated where the actor was revoked since the request was admitted;
 * insufficient_scope.
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

/** Of several scopes, one is enough. @throws DomainError insufficient_scope, naming what is needed. */
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
