import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";

/**
 * Refuses everyone but the operator, for actions that reach beyond one organisation.
 *
 * @param does what only the operator does, e.g. "disables accounts"
 * @throws DomainError insufficient_scope
 */
export function requireOperator(ctx: Ctx, does: string): void {
  if (ctx.actor.type !== "operator")
    throw new DomainError("insufficient_scope", `Only the operator of this service ${does}.`);
}
