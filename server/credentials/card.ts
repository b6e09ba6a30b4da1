import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";
import type { RecipientIdentity } from "@/server/issuers/recipient-identity";
import { hiddenParts } from "@/server/templates/hidden-from-files";
import { awardOf, type ResultDescription } from "./award";
import { reading } from "@/server/core/db";
import { id } from "@/server/core/input";
import { opaque } from "@/server/core/opaque";
import { query } from "@/server/core/operation";
import type { Design } from "@/server/templates/design";
import { shownFields } from "@/server/templates/fields";
import { loadCredential } from "./load";
import { credentialTitle } from "./title";
import { credentialView } from "./view";

/** Whether a card whose design has a place for the photo shows the photo, or why it does not. */
type CardPhoto = "shown" | "none" | "awaits_approval" | "rejected";

interface CardRow {
  title: string;
  results: ResultDescription[];
  creditsAvailable: number | null;
  achievementId: Id<"ach"> | null;
  achievementVersion: number | null;
  recipientIdentity: RecipientIdentity;
  version: number;
  design: Design;
  issuer: string;
  time_zone: string;
  locale: string;
  subject: { displayName: string; email: string | null; externalId: string; status: string };
  attributes: Record<string, unknown>;
  isErased: boolean;
  photo: CardPhoto | null;
  photoUpdatedAt: Date | null;
}

/**
 * Returns the organisation's view of a credential's card: the design of its version and the value of every field, as
 * holders see them. `photo` says whether the card shows a photo.
 */
export const getCredentialCard = query({
  name: "credentials.card",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd") }),
  async run(ctx, input) {
    const row = await loadCredential(ctx, input.id);
    const [card] = await reading(ctx).sql<CardRow>(cardStatement, [ctx.orgId, row.id]);
    const { design, subject, attributes, time_zone: timeZone, locale, ...more } = card!;
    const { results, creditsAvailable, achievementId, achievementVersion, recipientIdentity, ...rest } = more;
    const credential = credentialView(row, ctx.now);
    const isAcademic = row.kind === "academic" && !rest.isErased;
    return {
      ...rest,
      photoUpdatedAt: rest.photoUpdatedAt?.toISOString() ?? null,
      kind: row.kind,
      holder: subject.displayName,
      design,
      fields: rest.isErased
        ? []
        : shownFields(design, { subject, attributes, credential }, "all", { timeZone, locale }),
      achievement: achievementId && { id: publicId("ach", achievementId), version: achievementVersion },
      /** The award of an academic credential; null for other kinds, and for an erased holder. */
      award: isAcademic ? awardOf(row, results, creditsAvailable, timeZone) : null,
      /** Why its files are not public; if the list is empty, they are. */
      hiddenFromFiles: isAcademic ? hiddenParts(design, recipientIdentity, results, row.data) : [],
    };
  },
});

// Academic credentials show the snapshot taken at issue; others show their subject as it is now (contract section 6).
const cardStatement = `
SELECT ${credentialTitle} AS title, v.version, v.design, o.name AS issuer, o.time_zone, o.locale, o.recipient_identity AS "recipientIdentity",
  coalesce(a.content -> 'resultDescriptions', '[]') AS results, (a.content ->> 'creditsAvailable')::float8 AS "creditsAvailable",
  a.achievement_id AS "achievementId", a.version AS "achievementVersion",
  jsonb_build_object('displayName', s.display_name, 'email', s.email, 'externalId', s.external_id, 'status', s.status)
    || CASE WHEN c.kind = 'academic' THEN coalesce(c.data -> 'subject', '{}') ELSE '{}' END AS subject,
  CASE WHEN c.kind = 'academic' THEN coalesce(c.data -> 'attributes', '{}') ELSE s.attributes END AS attributes,
  s.erased_at IS NOT NULL AS "isErased",
  CASE WHEN v.photo IS NULL OR c.kind = 'academic' THEN NULL WHEN s.photo_at IS NULL THEN 'none' WHEN s.photo_status = 'rejected' THEN 'rejected'
    WHEN v.photo = 'approved' AND s.photo_status = 'pending' THEN 'awaits_approval' ELSE 'shown' END AS photo,
  s.photo_at AS "photoUpdatedAt"
FROM credentials c
CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = c.org_id AND id = c.subject_id OFFSET 0) s
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
JOIN organisations o ON o.id = c.org_id
LEFT JOIN achievement_versions a ON a.org_id = c.org_id AND a.id = c.achievement_version_id
WHERE c.org_id = ${opaque("$1")} AND c.id = $2`;
