import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadMessage } from "./load";
import { messageView } from "./view";

/** Returns a message to a holder. @throws DomainError not_found */
export const getMessage = query({
  name: "messages.get",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("msg") }),
  run: async (ctx, input) => messageView(await loadMessage(ctx, input.id), ctx),
});
