import { boundTo, type AccountMailKind, type ProofMailKind } from "@/server/access/account-mail";
import { formatMoment } from "@/server/core/dates";
import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { languageOf, localeIn } from "@/server/core/languages";
import { lookUp } from "@/server/core/look-up";
import { decrypt } from "@/server/core/secrets";
import type { Letter } from "./letter";
import { claimCodeLetter, homeLetter, newAddressLetter } from "./proof-letter";

interface ProofMail {
  id: Id<"aml">;
  kind: ProofMailKind;
  link: Uint8Array | null;
  locale: string | null;
}

const kinds: readonly AccountMailKind[] = ["claim_code", "home_link", "home_address"];

export const isProofKind = (kind: AccountMailKind): kind is ProofMailKind => kinds.includes(kind);

interface About {
  expires_at: Date;
  organisation: string | null;
  time_zone: string | null;
  is_known: boolean;
}

/**
 * Writes the mail by which a person proves an address; null if the mail would have no use. A link to the holder's home
 * goes only to the address of a person on record; the requester was not told whether there is one.
 */
export async function proofLetterFor(mail: ProofMail, now: Date): Promise<Letter | null> {
  if (!mail.link) return null;
  const [about] = await lookUp<About>(queueSql, aboutMail, [mail.id, now]);
  if (!about || (mail.kind === "home_link" && !about.is_known)) return null;
  const secret = decrypt(mail.link, boundTo(mail.id));
  const language = languageOf(mail.locale);
  if (mail.kind === "home_link") return homeLetter(secret, language);
  if (mail.kind === "home_address") return newAddressLetter(secret, language);
  const region = { timeZone: about.time_zone ?? "UTC", locale: localeIn(language, mail.locale ?? "") };
  const until = formatMoment(about.expires_at, region);
  return claimCodeLetter({ organisation: about.organisation, code: secret, until }, language);
}

const aboutMail = `
SELECT p.expires_at, o.name AS organisation, o.time_zone,
  EXISTS (SELECT FROM subjects s WHERE lower(s.email) = m.email AND s.erased_at IS NULL) OR EXISTS (SELECT FROM holder_addresses a WHERE a.email = m.email) AS is_known
FROM account_mails m JOIN address_proofs p ON p.id = m.link_id LEFT JOIN organisations o ON o.id = p.org_id
WHERE m.id = $1 AND p.expires_at > $2 AND p.proved_at IS NULL`;
