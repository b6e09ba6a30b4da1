import { boundTo } from "@/server/access/account-mail";
import { mailCode } from "@/server/access/address-proof";
import type { Ctx } from "@/server/core/context";
import { newPublicId, type Id } from "@/server/core/ids";
import { decrypt } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { publishedTemplate } from "@/server/testing/credentials";
import { visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { createClaimLink } from "../create-link";
import { enterClaimCode } from "../enter-code";
import { findLink } from "../find-link";
import { listClaims } from "../list-claims";
import { submitClaim } from "../submit-claim";

type NewLink = Partial<Parameters<typeof createClaimLink>[1]>;

/** Creates a claim link for a new template, unless a template is given. */
export async function claimLink(ctx: Ctx, some: NewLink = {}) {
  const templateId = some.templateId ?? (await publishedTemplate(ctx)).id;
  return createClaimLink(ctx, { ...some, templateId });
}

export const someAddress = () => `${newPublicId("req")}@example.edu`.toLowerCase();

/** Returns the code in the newest mail to an address. Mails are stored until they are sent. */
export async function codeFor(email: string): Promise<string> {
  const [mail] = await sql<{ id: Id<"aml">; link: Uint8Array }>(
    `SELECT id, link FROM account_mails WHERE email = $1 AND kind = 'claim_code' ORDER BY created_at DESC, id DESC LIMIT 1`,
    [email],
  );
  return decrypt(mail!.link, boundTo(mail!.id));
}

/** Proves an address for a link, without an SMTP server. @returns the token for the browser's cookie */
export async function proved(code: string, email: string): Promise<string> {
  const link = (await findLink(code, new Date()))!;
  const token = await transaction((tx) =>
    mailCode(tx, new Date(), { email, orgId: link.orgId, claimLinkId: link.id, locale: link.region.locale }),
  );
  await enterClaimCode(visitor(), { token: token!, digits: await codeFor(email) });
  return token!;
}

/** Proves an address and submits a claim. */
export async function claimed(code: string, entered: Record<string, string>, email = someAddress()) {
  const token = await proved(code, email);
  return { email, token, ...(await submitClaim(visitor(), { code, token, entered })) };
}

/** Creates a claim that waits for approval. */
export async function waitingClaim(ctx: Ctx): Promise<{ id: string; linkId: string; email: string }> {
  const link = await claimLink(ctx, { approval: true });
  const { email } = await claimed(link.code, { name: "Ada Lovelace" });
  const { data } = await listClaims(ctx, { claimLinkId: link.id });
  return { id: data[0]!.id, linkId: link.id, email };
}
