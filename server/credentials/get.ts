import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadCredential } from "./load";
import { credentialTag, credentialView } from "./view";

/** Returns one credential, in the state that it has now. */
export const getCredential = query({
  name: "credentials.get",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd") }),
  tag: credentialTag,
  run: async (ctx, input) => credentialView(await loadCredential(ctx, input.id), ctx.now),
});
