import { z } from "zod";
import { query } from "@/server/core/operation";
import { verifyCode } from "./verify-code";

export const verifyInput = z.strictObject({
  code: z.string({ error: "must be the public code of a credential" }).max(2000).meta({ description: "The public code, as it stands on the credential. Case, hyphens and spaces do not count." }),
});

/** Verifies a credential of any organisation for an authenticated caller. Emits as verifyCode says. */
export const verifyCredential = query({
  name: "credentials.verify",
  scope: "verify",
  input: verifyInput,
  run: ({ orgId, actor, now }, { code }) => verifyCode(code, { via: "api", viewer: actor.id, now, caller: { orgId, actor } }),
});
