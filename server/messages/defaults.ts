import { z } from "zod";
import { reading } from "@/server/core/db";
import { env } from "@/server/core/env";
import { query } from "@/server/core/operation";
import { messagesView, type StoredMessages } from "@/server/message-texts/settings";

/** Returns the organisation's message settings, the built-in texts, and whether the service can send e-mail. */
export const getMessageDefaults = query({
  name: "messages.defaults",
  scope: "templates:read",
  input: z.strictObject({}),
  async run(ctx) {
    const [organisation] = await reading(ctx).sql<{ name: string; messages: StoredMessages }>(
      `SELECT name, messages FROM organisations WHERE id = $1`,
      [ctx.orgId],
    );
    return {
      ...messagesView(organisation!.messages),
      organisation: organisation!.name,
      hasMailServer: env().SMTP_URL !== undefined,
    };
  },
});
