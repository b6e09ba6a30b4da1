import { sql, type Query } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import type { Id } from "@/server/core/ids";
import { localeIn, type Language } from "@/server/core/languages";
import { lookUp } from "@/server/core/look-up";
import { readCode } from "@/server/credentials/code";
import { brandOf, type Brand, type BrandedKind } from "@/server/templates/brand";
import type { Design } from "@/server/templates/design";
import type { EnteredFormat } from "@/server/templates/entered-formats";
import type { Validity } from "@/server/templates/validity";
import { askedFields, type AskedField, type ClaimField } from "./fields";
import { linkStateAt, type LinkState } from "./view";

/** The facts of a claim link that its public page needs. */
export interface PublicLink {
  id: Id<"clk">;
  orgId: Id<"org">;
  /** The code in its stored form, without separators. */
  code: string;
  state: LinkState;
  organisation: string;
  region: Region;
  /** The title of the credential. */
  title: string;
  brand: Brand;
  templateId: Id<"tpl">;
  isRepeatable: boolean;
  needsApproval: boolean;
  fields: AskedField[];
  formats: EnteredFormat[];
  expiresAt: Date | null;
}

interface Row {
  id: Id<"clk">;
  org_id: Id<"org">;
  code: string;
  template_id: Id<"tpl">;
  max_claims: number | null;
  claimed: number;
  expires_at: Date | null;
  approval: boolean;
  fields: ClaimField[] | null;
  is_over: boolean;
  repeatable: boolean;
  title: string;
  kind: BrandedKind;
  design: Design | null;
  formats: EnteredFormat[] | null;
  validity: Validity | null;
  organisation: string;
  time_zone: string;
  locale: string;
}

const byCode = `
SELECT l.id, l.org_id, l.code, l.template_id, l.max_claims, l.claimed, l.expires_at, l.approval, l.fields,
  l.deleted_at IS NOT NULL OR o.suspended_at IS NOT NULL OR t.status = 'archived' OR v.id IS NULL AS is_over,
  t.repeatable, t.kind, coalesce(a.name, t.name) AS title, v.design, v.formats, v.validity, o.name AS organisation, o.time_zone, o.locale
FROM claim_links l
JOIN organisations o ON o.id = l.org_id
JOIN templates t ON t.org_id = l.org_id AND t.id = l.template_id
LEFT JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
LEFT JOIN achievements a ON a.org_id = v.org_id AND a.id = v.achievement_id
WHERE l.code = $1`;

/**
 * Finds the claim link with a code, in any spelling. Codes are unique across organisations, so the query binds none.
 *
 * @param language the page's language, for labels and numbers; the organisation's own by default
 */
export async function findLink(
  code: string,
  now: Date,
  query: Query = sql,
  language?: Language,
): Promise<PublicLink | null> {
  const [row] = await lookUp<Row>(query, byCode, [readCode(code) ?? ""]);
  if (!row) return null;
  const region = { timeZone: row.time_zone, locale: language ? localeIn(language, row.locale) : row.locale };
  return {
    id: row.id,
    orgId: row.org_id,
    code: row.code,
    state: row.is_over ? "ended" : linkStateAt(row, now),
    organisation: row.organisation,
    region,
    title: row.title,
    brand: brandOf(row.kind, row.design ?? {}),
    templateId: row.template_id,
    isRepeatable: row.repeatable,
    needsApproval: row.approval,
    fields: askedFields(row.design ?? {}, row.fields, region.locale, row.validity),
    formats: row.formats ?? [],
    expiresAt: row.expires_at,
  };
}
