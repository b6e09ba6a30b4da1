import { z } from "zod";
import { query } from "@/server/core/operation";
import { anyScope } from "@/server/core/scopes";
import { getOrganisation } from "./get";
import { organisationSchema } from "./view";

export const meSchema = z
  .object({
    object: z.literal("me"),
    organisation: organisationSchema,
    actor: z.object({ type: z.string().meta({ description: "api_key, oauth_client or user." }), id: z.string() }),
    scopes: z.array(z.string()).meta({ description: "What the token may do." }),
  })
  .meta({ id: "Me" });

/** Returns the caller: organisation, actor and scopes. */
export const getMe = query({
  name: "me.get",
  scope: anyScope,
  input: z.strictObject({}),
  async run(ctx): Promise<z.output<typeof meSchema>> {
    return {
      object: "me",
      organisation: await getOrganisation(ctx, {}),
      actor: { ...ctx.actor },
      scopes: [...ctx.scopes].sort(),
    };
  },
});
