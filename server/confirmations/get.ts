import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { confirmationView } from "@/server/credentials/confirmation";
import { loadConfirmation } from "./load";

/** Returns a request to confirm a name. @throws DomainError not_found */
export const getConfirmation = query({
  name: "name_confirmations.get",
  scope: "credentials:read",
  alsoScope: "subjects:read",
  input: z.strictObject({ id: id("ncf") }),
  run: async (ctx, input) => confirmationView(await loadConfirmation(ctx, input.id), ctx),
});
