import { z } from "zod";
import { asId, newId, publicId, uuidOf } from "@/server/core/ids";
import { invalidInput, line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { scopes } from "@/server/core/scopes";
import { hashToken } from "@/server/core/secrets";
import { audit } from "./audit";
import { apiKeyView } from "./api-key-view";
import { newApiKey } from "./token-format";
import { scopesToGrant } from "./token-scopes";

/** Creates an API key and returns its secret once. Leaves an audit entry; emits no event. */
export const createApiKey = command({
  name: "api_keys.create",
  scope: "keys:write",
  input: z.strictObject({
    name: line(100).min(1, "must not be empty"),
    scopes: z.array(z.enum(scopes)).min(1).optional(),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
  }),
  async run(ctx, input) {
    const expiresAt = input.expiresAt ? new Date(input.expiresAt) : null;
    if (expiresAt && expiresAt <= ctx.now) {
      throw invalidInput([{ pointer: "/expiresAt", code: "past", message: "must be in the future" }]);
    }
    const secret = newApiKey();
    const row = await ctx.tx.db.apiKey.create({
      data: {
        orgId: uuidOf(ctx.orgId),
        id: uuidOf(newId("key")),
        name: input.name,
        hash: hashToken(secret),
        lastFour: secret.slice(-4),
        scopes: scopesToGrant(ctx, input.scopes),
        createdBy: { ...ctx.actor },
        createdAt: ctx.now,
        expiresAt,
      },
    });
    await audit(
      ctx,
      "api_key.created",
      { type: "api_key", id: publicId("key", asId(row.id)) },
      { name: row.name, scopes: row.scopes },
    );
    return { ...apiKeyView(row), secret };
  },
});
