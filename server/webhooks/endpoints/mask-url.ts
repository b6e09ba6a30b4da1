import type { Ctx } from "@/server/core/context";

/**
 * Masks the parts of a URL that may hold a secret: many services put a token into the path or the query of a webhook
 * URL.
 *
 * @example maskUrl("https://hooks.example.com/services/T0/B1/x?key=y") // "https://hooks.example.com/***?***"
 */
export function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}/${pathname === "/" ? "" : "***"}${search && "?***"}`;
}

/** Returns the URL as the actor may see it: whole with webhooks:write, masked without. */
export function visibleUrl(ctx: Ctx, url: string): string {
  return ctx.scopes.has("webhooks:write") ? url : maskUrl(url);
}
