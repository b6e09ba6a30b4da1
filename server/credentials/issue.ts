import type { z } from "zod";
import type { Ctx } from "@/server/core/context";
import type { issueInput } from "./input";
import { issueOrAsk } from "./issue-or-ask";

/**
 * Issues a credential of a template that asks nobody to confirm a name, as issueOrAsk does. For code that has made the
 * template itself, such as the demo.
 *
 * @throws Error if the template asks for it
 */
export async function issueCredential(ctx: Ctx, input: z.input<typeof issueInput>) {
  const issued = await issueOrAsk(ctx, input);
  if (!issued.credential) throw new Error("The template asks its holders to confirm their names first.");
  return issued;
}
