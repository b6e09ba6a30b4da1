import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";

/** The effect of a request, in numbers. */
export const effects = [
  /** The total of a list; 0 for a refused list. */
  "found",
  "created",
  /** People who were here already, whom a POST made users of the connection. */
  "adopted",
  "restored",
  "changed",
  "deactivated",
  "deleted",
  /** Removals that wait for a person. */
  "staged",
  /** Members of groups. */
  "added",
  "removed",
  /** Members of groups whom the directory has not created yet. */
  "awaited",
  /** Changes of a PATCH of read-only or unknown attributes. */
  "ignored",
  /** Operations of a bulk request that were refused. */
  "failed",
] as const;

export type Effect = Partial<Record<(typeof effects)[number], number>>;

/** The notes about a request while it is served. */
export interface Noted {
  effect: Effect;
  connectorId: Id<"con"> | null;
  /** Why the first refused operation of a bulk request was refused. */
  refusal: string | null;
  /** The transaction of the effect. After a deadlock, a command begins another one and notes all of it again. */
  within?: Ctx["tx"];
}

// Spreading a context copies the symbol, so that the context of a command inside a request shares its notes.
const noted = Symbol("what a SCIM request did");
type Noting = Ctx & { [noted]?: Noted };

/** A context that notes what is done with it. */
export function noting(ctx: Ctx): { ctx: Ctx; noted: Noted } {
  const own: Noted = { effect: {}, connectorId: null, refusal: null };
  return { ctx: { ...ctx, [noted]: own } as Noting, noted: own };
}

/** Adds to the effect of a request. The effect is recorded only if the request succeeds. A list that finds nobody notes 0. */
export function note(ctx: Ctx, name: keyof Effect, n = 1): void {
  const own = (ctx as Noting)[noted];
  if (!own || (n === 0 && name !== "found")) return;
  if (ctx.tx && own.within && own.within !== ctx.tx) own.effect = {};
  own.within = ctx.tx ?? own.within;
  own.effect[name] = (own.effect[name] ?? 0) + n;
}

export function noteAll(ctx: Ctx, effect: Effect): void {
  for (const name of effects) if (effect[name] !== undefined) note(ctx, name, effect[name]);
}

export function noteConnection(ctx: Ctx, id: Id<"con">): void {
  const own = (ctx as Noting)[noted];
  if (own) own.connectorId = id;
}

/** Notes that an operation of a bulk request was refused. Only the first reason is kept. */
export function noteRefusal(ctx: Ctx, reason: string): void {
  note(ctx, "failed");
  const own = (ctx as Noting)[noted];
  if (own) own.refusal ??= reason;
}
