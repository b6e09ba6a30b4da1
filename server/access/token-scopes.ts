import type { Ctx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { requireScope } from "@/server/core/operation";
import { namedScopes, usualScopes, type TokenScope } from "@/server/core/scopes";

/**
 * Returns the scopes of a new key or client: those named, or the usual ones. Scopes in `namedScopes` can only be given
 * by a person who has them, so that no program can appoint another to approve.
 *
 * @throws DomainError insufficient_scope
 */
export function scopesToGrant(ctx: Ctx, named: readonly TokenScope[] | undefined): TokenScope[] {
  const wanted = [...new Set(named ?? usualScopes)];
  for (const scope of wanted.filter((each) => namedScopes.includes(each))) {
    if (ctx.actor.type !== "user" && ctx.actor.type !== "operator")
      throw new DomainError("insufficient_scope", `Only a person gives the scope ${scope} to a key or client.`);
    requireScope(ctx, scope);
  }
  return wanted;
}
