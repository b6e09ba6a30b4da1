import type { z } from "zod";
import type { Ctx } from "@/server/core/context";
import type { issueInput } from "./input";
import { issueOrAsk } from "./issue-or-ask";

/**
 * Issues a credential of a template that does not ask holders to confirm their names. For code that created the
 * template itself, such as the demo.
 *
 * @throws Error if the template asks
 */
export async function issueCredential(ctx: Ctx, input: z.input<typeof issueInput>) {
  const issued = await issueOrAsk(ctx, input);
  if (!issued.credential) throw new Error("The template asks its holders to confirm their names first.");
  return issued;
}
