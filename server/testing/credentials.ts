import type { Ctx } from "@/server/core/context";
import { issueCredential } from "@/server/credentials/issue";
import { createTemplate } from "@/server/templates/create";

type NewTemplate = Partial<Parameters<typeof createTemplate>[1]>;
type NewCredential = Partial<Omit<Parameters<typeof issueCredential>[1], "templateId">> & {
  /** The e-mail address of a new subject; none unless given. */
  email?: string;
};

/** Creates a template from which credentials can be issued. */
export async function publishedTemplate(ctx: Ctx, some: NewTemplate = {}) {
  return createTemplate(ctx, { name: "Membership", kind: "membership", publish: true, ...some });
}

let people = 0;

/** Issues a credential, to a new subject unless one is given. */
export async function issued(ctx: Ctx, templateId: string, { email, ...some }: NewCredential = {}) {
  const subject = {
    externalId: `person-${++people}`,
    displayName: "Ada Lovelace",
    ...(email !== undefined && { email }),
  };
  return (await issueCredential(ctx, { subject, templateId, ...some })).credential;
}
