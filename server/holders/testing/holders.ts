import { boundTo } from "@/server/access/account-mail";
import { mailHomeLink } from "@/server/access/address-proof";
import type { Ctx } from "@/server/core/context";
import type { Id } from "@/server/core/ids";
import { decrypt } from "@/server/core/secrets";
import { transaction } from "@/server/core/transaction";
import { someAddress } from "@/server/claims/testing/claims";
import { upsertSubject } from "@/server/subjects/upsert";
import { tokenIn, visitor } from "@/server/testing/person";
import { sql } from "@/server/testing/sql";
import { enterHome } from "../enter";
import { listNameRequests } from "../list-name-requests";
import { requestName } from "../request-name";

/** Returns the token in the link of the newest mail to an address. Mails are stored until they are sent. */
export async function homeLinkToken(email: string): Promise<string> {
  const [mail] = await sql<{ id: Id<"aml">; link: Uint8Array }>(
    `SELECT id, link FROM account_mails WHERE email = $1 AND kind IN ('home_link', 'home_address') ORDER BY created_at DESC, id DESC LIMIT 1`,
    [email],
  );
  return tokenIn(decrypt(mail!.link, boundTo(mail!.id)));
}

/** Begins a session for an address, without an SMTP server. @returns the session token */
export async function homeSession(email: string): Promise<string> {
  await transaction((tx) => mailHomeLink(tx, new Date(), email, null, "en-GB"));
  return (await enterHome(visitor(), { token: await homeLinkToken(email) }))!.session;
}

/** Creates a person with a waiting name request. */
export async function nameRequest(
  ctx: Ctx,
): Promise<{ id: string; subjectId: string; email: string; session: string }> {
  const email = someAddress();
  const { subject } = await upsertSubject(ctx, { externalId: `named-${email}`, displayName: "Ada Byron", email });
  const session = await homeSession(email);
  await requestName(visitor(), { session, subjectId: subject.id, name: "Ada Lovelace", note: "I married." });
  const { data } = await listNameRequests(ctx, { state: "waiting" });
  const request = data.find(({ subjectId }) => subjectId === subject.id)!;
  return { id: request.id, subjectId: subject.id, email, session };
}
