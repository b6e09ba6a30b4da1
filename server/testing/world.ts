import { createApiKey } from "@/server/access/create-api-key";
import type { Ctx } from "@/server/core/context";
import { newPublicId, noOrganisation, readId, type Id } from "@/server/core/ids";
import { scopes, personScopes, type Scope } from "@/server/core/scopes";
import { createOrganisation } from "@/server/organisations/create";

/** A test file's own organisation, so that files run in parallel against one database. */
export interface World {
  orgId: Id<"org">;
  /** Acts with every scope. */
  ctx: Ctx;
  /** Returns a context with only these scopes. */
  as(...some: Scope[]): Ctx;
  /** Returns a context whose clock shows this time. */
  at(time: Date | string): Ctx;
  /** Creates an API key and returns its secret. */
  key(
    ...some: Parameters<typeof createApiKey>[1]["scopes"] extends (infer S)[] | undefined ? S[] : never
  ): Promise<string>;
}

export async function world(): Promise<World> {
  const slug = newPublicId("org").replace("_", "-");
  const organisation = await createOrganisation(context(noOrganisation, ["settings:write"]), {
    name: "Test Organisation",
    slug,
  });
  const orgId = readId("org", organisation.id);
  const ctx = context(orgId, [...scopes, ...personScopes]);
  return {
    orgId,
    ctx,
    as: (...some) => ({ ...ctx, scopes: new Set(some) }),
    at: (time) => ({ ...ctx, now: new Date(time) }),
    key: async (...some) =>
      (await createApiKey(ctx, { name: "test", ...(some.length > 0 && { scopes: some }) })).secret,
  };
}

function context(orgId: Id<"org">, some: Scope[]): Ctx {
  return {
    orgId,
    actor: { type: "operator", id: "test" },
    scopes: new Set(some),
    requestId: newPublicId("req"),
    now: new Date(),
  };
}
