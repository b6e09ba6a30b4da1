import type { Ctx } from "@/server/core/context";

/**
 * A URL without what may be a secret in it: many services put a token into the path or the query of a webhook's
 * address. "https://hooks.example.com/services/T0/B1/x?key=y" becomes "https://hooks.example.com/***?***".
 */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}/${pathname === "/" ? "" : "***"}${search && "?***"}`;
}

/** The URL as an actor may see it: whole where they could change it, else masked. */
export function visibleUrl(ctx: Ctx, url: string): string {
  return ctx.scopes.has("webhooks:write") ? url : maskUrl(url);
}
