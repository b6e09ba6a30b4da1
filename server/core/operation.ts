import type { z } from "zod";
import type { Ctx, ScopeDemand, TxCtx } from "./context";
import { transaction } from "./transaction";
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
}

/** One verb of the service. Called with a context and the wire input; REST, console, SCIM and jobs call the same one. */
export interface Operation<I extends z.ZodType = z.ZodType, O = unknown> {
  (ctx: Ctx, input: z.input<I>): Promise<O>;
  readonly operation: { name: string; kind: "command" | "query"; input: I; scope: Definition<I, O, never>["scope"] };
}

/** An operation that changes something. It runs in the caller's transaction, or in one of its own. */
export function command<I extends z.ZodType, O>(definition: Definition<I, O, TxCtx>): Operation<I, O> {
  const call = async (ctx: Ctx, input: z.input<I>) => {
    const parsed = admit(definition, ctx, input);
    if (ctx.tx) return definition.run(ctx as TxCtx, parsed);
    return transaction((tx) => definition.run({ ...ctx, tx }, parsed));
  };
  return Object.assign(call, { operation: { ...definition, kind: "command" as const } });
}

/** An operation that only reads. */
export function query<I extends z.ZodType, O>(definition: Definition<I, O, Ctx>): Operation<I, O> {
  const call = async (ctx: Ctx, input: z.input<I>) => definition.run(ctx, admit(definition, ctx, input));
  return Object.assign(call, { operation: { ...definition, kind: "query" as const } });
}

function admit<I extends z.ZodType>(definition: Definition<I, unknown, never>, ctx: Ctx, input: unknown): z.output<I> {
  const { scope } = definition;
  if (typeof scope !== "function") requireScope(ctx, scope);
  const parsed = parseInput(definition.input, input);
  if (typeof scope === "function") requireScope(ctx, scope(parsed));
  return parsed;
}

/** Of several scopes, one is enough. @throws DomainError insufficient_scope, naming what is needed. */
export function requireScope(ctx: Ctx, wanted: Scope | ScopeDemand): void {
  const anyOf = typeof wanted === "string" ? ([wanted] as const) : wanted;
  if (anyOf.some((each) => ctx.scopes.has(each))) return void ctx.metDemands?.push(anyOf);
  const [scope] = anyOf;
  throw new DomainError("insufficient_scope", `This needs the scope ${anyOf.join(" or ")}, which the token or role does not have.`, {
    members: { scope },
    headers: { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}
