import type { Query } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import type { Id } from "@/server/core/ids";
import { confirmationUrl, type ConfirmationState } from "@/server/credentials/confirmation";
import { replaceMisdirectedLink } from "@/server/credentials/misdirected";
import type { CredentialState } from "@/server/credentials/states";
import { credentialTitle } from "@/server/credentials/title";
import type { StoredMessages } from "@/server/message-texts/settings";
import type { Design } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";

/** The data of a message, as currently stored. */
export interface MessageFacts {
  code: string;
  state: CredentialState;
  valid_from: Date;
  expires_at: Date | null;
  superseded_by: Id<"crd"> | null;
  /** The reason of the suspension or revocation. */
  reason: string | null;
  kind: TemplateKind;
  title: string;
  holder: string;
  /** The holder's address; null if the holder has none or is inactive. */
  email: string | null;
  holder_active: boolean;
  organisation: string;
  region: Region;
  of_template: StoredMessages;
  of_organisation: StoredMessages;
  colors: Design["colors"] | null;
  logo: string | null;
}

/** The data that the text of a message is written from. */
export type LetterFacts = Pick<
  MessageFacts,
  | "valid_from"
  | "expires_at"
  | "reason"
  | "kind"
  | "title"
  | "holder"
  | "organisation"
  | "region"
  | "of_template"
  | "of_organisation"
  | "colors"
  | "logo"
> &
  ({ link?: undefined; code: string } | { link: string });

/** The data of a message that asks a holder to confirm the name. `expires_at` is the end of the link. */
export type ConfirmationFacts = LetterFacts &
  Pick<MessageFacts, "email" | "holder_active"> & { link: string; state: ConfirmationState };

/** SQL: the columns of MessageFacts that come from the template `t`, its version `v` and the organisation `o`. */
const aboutTemplate = `t.kind, o.name AS organisation, json_build_object('timeZone', o.time_zone, 'locale', o.locale) AS region,
  t.messages AS of_template, o.messages AS of_organisation, v.design->'colors' AS colors, v.design->>'logo' AS logo`;

/** Loads the data of a message about a credential; undefined if its holder was erased. */
export async function factsOfCredential(
  sql: Query,
  orgId: Id<"org">,
  credentialId: Id<"crd">,
): Promise<MessageFacts | undefined> {
  const [facts] = await sql<MessageFacts>(ofCredential, [orgId, credentialId]);
  return facts;
}

/**
 * Does the same as factsOfConfirmation when the message is being sent. Creates a new link if the present one was mailed
 * to another address (docs/decisions/548).
 */
export async function factsToAskWith(
  sql: Query,
  orgId: Id<"org">,
  confirmationId: Id<"ncf">,
  now: Date,
): Promise<ConfirmationFacts | undefined> {
  await replaceMisdirectedLink(sql, orgId, confirmationId, now);
  return factsOfConfirmation(sql, orgId, confirmationId);
}

/** Loads the data of a message that asks to confirm a name; undefined if the holder was erased. */
export async function factsOfConfirmation(
  sql: Query,
  orgId: Id<"org">,
  confirmationId: Id<"ncf">,
): Promise<ConfirmationFacts | undefined> {
  const [facts] = await sql<Omit<ConfirmationFacts, "link"> & { token: string }>(ofConfirmation, [
    orgId,
    confirmationId,
  ]);
  return facts && { ...facts, link: confirmationUrl(facts.token) };
}

const ofConfirmation = `
SELECT n.state, n.token, n.created_at AS valid_from, n.link_expires_at AS expires_at, NULL AS reason,
  coalesce(a.name, t.name) AS title, s.display_name AS holder, s.email, s.status = 'active' AS holder_active, ${aboutTemplate}
FROM name_confirmations n
JOIN templates t ON t.org_id = n.org_id AND t.id = n.template_id
JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = coalesce(t.current_version, t.latest_version)
LEFT JOIN achievements a ON a.org_id = v.org_id AND a.id = v.achievement_id
JOIN subjects s ON s.org_id = n.org_id AND s.id = n.subject_id AND s.erased_at IS NULL
JOIN organisations o ON o.id = n.org_id
WHERE n.org_id = $1 AND n.id = $2`;

const ofCredential = `
SELECT c.code, c.state, c.valid_from, c.expires_at, c.superseded_by, coalesce(c.revocation_reason, c.suspension_reason) AS reason,
  ${credentialTitle} AS title, s.display_name AS holder, s.email, s.status = 'active' AS holder_active, ${aboutTemplate}
FROM credentials c
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
JOIN subjects s ON s.org_id = c.org_id AND s.id = c.subject_id AND s.erased_at IS NULL
JOIN organisations o ON o.id = c.org_id
WHERE c.org_id = $1 AND c.id = $2`;

/**
 * Loads the data of a sample message: the person's newest credential of the template. Uses example values if there is no
 * such credential or no person is given.
 */
export async function factsOfSample(
  sql: Query,
  orgId: Id<"org">,
  templateId: Id<"tpl">,
  subjectId: Id<"sub"> | undefined,
  now: Date,
): Promise<{ facts: MessageFacts; isExample: boolean } | undefined> {
  const [held] = await sql<{ id: Id<"crd"> }>(
    `SELECT id FROM credentials WHERE org_id = $1 AND subject_id = $2 AND template_id = $3 ORDER BY id DESC LIMIT 1`,
    [orgId, subjectId ?? null, templateId],
  );
  const facts = held && (await factsOfCredential(sql, orgId, held.id));
  if (facts) return { facts, isExample: false };
  const [sample] = await sql<Omit<MessageFacts, "valid_from" | "expires_at" | "reason" | "superseded_by">>(ofTemplate, [
    orgId,
    templateId,
    subjectId ?? null,
  ]);
  const ends = { expires_at: new Date(now.getTime() + exampleMs), reason: "An example of a reason" };
  return sample && { facts: { ...sample, ...ends, valid_from: now, superseded_by: null }, isExample: true };
}

/** The validity of the example credential, in milliseconds. */
const exampleMs = 365 * 86_400_000;

const ofTemplate = `
SELECT '0000000000000000' AS code, 'active' AS state, t.name AS title, coalesce(s.display_name, 'Ada Lovelace') AS holder, s.email, true AS holder_active, ${aboutTemplate}
FROM templates t
JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = coalesce(t.current_version, t.latest_version)
JOIN organisations o ON o.id = t.org_id
LEFT JOIN subjects s ON s.org_id = t.org_id AND s.id = $3 AND s.erased_at IS NULL
WHERE t.org_id = $1 AND t.id = $2`;
