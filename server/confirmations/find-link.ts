import { sql, type Query } from "@/server/core/db";
import type { Region } from "@/server/core/dates";
import { publicId, type Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { formatCode } from "@/server/credentials/code";
import { codeIssuedUnasked } from "@/server/credentials/issued-unasked";
import { brandOf, type Brand, type BrandedKind } from "@/server/templates/brand";
import type { Design } from "@/server/templates/design";
import type { ConfirmationState } from "@/server/credentials/confirmation";
import {
  joinObstacles,
  obstacleOf,
  type ConfirmationObstacle,
  type ObstacleFacts,
} from "@/server/credentials/confirmation-obstacle";
import { isMisdirected } from "@/server/credentials/misdirected";

/** The content of a link's page for the holder. */
export interface NameLink {
  id: Id<"ncf">;
  orgId: Id<"org">;
  subjectId: Id<"sub">;
  /** waiting, confirmed, cancelled, or expired: it waits, but the link no longer works. */
  state: ConfirmationState | "expired";
  organisation: string;
  region: Region;
  title: string;
  brand: Brand;
  /** The name on record, which the credential will have. */
  name: string;
  linkExpiresAt: Date;
  /** Why it was cancelled. */
  reason: string | null;
  /** The code of the credential once it is issued, by the confirmation or independently of it. */
  code: string | null;
  /** Why it cannot be issued at present, although the request waits. */
  obstacle: ConfirmationObstacle | null;
  /** The holder's newest request for another name. */
  request: { name: string; state: "waiting" | "approved" | "rejected"; reason: string | null } | null;
}

interface Row extends Omit<NameLink, "state" | "region" | "brand" | "obstacle">, ObstacleFacts {
  state: ConfirmationState;
  time_zone: string;
  locale: string;
  kind: BrandedKind;
  colors: Design["colors"] | null;
  logo: string | null;
  /** Whether the link was mailed to an address that is no longer the person's. */
  isMisdirected: boolean;
}

const byToken = `
SELECT n.id, n.org_id AS "orgId", n.subject_id AS "subjectId", n.state, n.link_expires_at AS "linkExpiresAt", n.reason,
  o.name AS organisation, o.time_zone, o.locale, coalesce(a.name, t.name) AS title, s.display_name AS name, c.code, t.kind, v.design -> 'colors' AS colors, v.design ->> 'logo' AS logo,
  ${isMisdirected} AS "isMisdirected", n.terms, s.status = 'active' AS is_active, revoked.reason AS revoked_reason, held.code AS held_code,
  (SELECT json_build_object('name', r.name, 'state', r.state, 'reason', r.reason) FROM name_requests r
   WHERE r.org_id = n.org_id AND r.subject_id = n.subject_id AND (r.created_at >= n.created_at OR r.state = 'waiting') ORDER BY r.id DESC LIMIT 1) AS request
FROM name_confirmations n
JOIN organisations o ON o.id = n.org_id AND o.suspended_at IS NULL
JOIN subjects s ON s.org_id = n.org_id AND s.id = n.subject_id AND s.erased_at IS NULL
JOIN templates t ON t.org_id = n.org_id AND t.id = n.template_id
LEFT JOIN template_versions v ON v.org_id = t.org_id AND v.template_id = t.id AND v.version = t.current_version
LEFT JOIN achievements a ON a.org_id = v.org_id AND a.id = v.achievement_id
LEFT JOIN credentials c ON c.org_id = n.org_id AND c.id = n.credential_id
${joinObstacles}
WHERE n.token = $1`;

/** Finds the request of a link. Tokens are unique across organisations. @returns null for an unknown or replaced link */
export async function findNameLink(token: string, now: Date, query: Query = sql): Promise<NameLink | null> {
  const [row] = await lookUp<Row>(query, byToken, [token.slice(0, 100)]);
  if (!row) return null;
  const {
    time_zone,
    locale,
    code,
    state,
    kind,
    colors,
    logo,
    isMisdirected,
    terms,
    is_active,
    revoked_reason,
    held_code,
    ...rest
  } = row;
  return {
    ...rest,
    state: state === "waiting" && (isMisdirected || row.linkExpiresAt <= now) ? "expired" : state,
    obstacle: obstacleOf({ state, terms, is_active, revoked_reason, held_code }, now),
    region: { timeZone: time_zone, locale },
    brand: brandOf(kind, { ...(colors && { colors }), ...(logo !== null && { logo }) }),
    code: code === null ? codeIssuedUnasked(row) : formatCode(code),
  };
}

/** The target of audit entries about the request. */
export const targetOf = ({ id }: Pick<NameLink, "id">) => ({ type: "name_confirmation", id: publicId("ncf", id) });
