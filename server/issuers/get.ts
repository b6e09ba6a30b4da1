import { z } from "zod";
import { reading } from "@/server/core/db";
import { query } from "@/server/core/operation";
import { anyScope } from "@/server/core/scopes";
import { loadIssuer } from "./load";
import { issuerTag, issuerView } from "./view";

/** Returns the organisation as an issuer: its DID and its keys. Any scope is sufficient, because all of it is public. */
export const getIssuer = query({
  name: "issuers.get",
  scope: anyScope,
  input: z.strictObject({}),
  tag: issuerTag,
  run: async (ctx) => issuerView(ctx.orgId, await loadIssuer(reading(ctx).sql, ctx.orgId)),
});
