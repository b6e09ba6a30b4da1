import type { Region } from "@/server/core/dates";
import { sql } from "@/server/core/db";
import { publicId, uuidOf, type Id } from "@/server/core/ids";
import { localeIn, type Language } from "@/server/core/languages";
import { formatCode } from "@/server/credentials/code";
import { stateAt } from "@/server/credentials/state-sql";
import type { CredentialState } from "@/server/credentials/states";
import { credentialTitle } from "@/server/credentials/title";
import { brandOf, type Brand, type BrandedKind } from "@/server/templates/brand";
import type { Design } from "@/server/templates/design";
import { findPeopleWithAddress } from "./people-with-address";
import { addressOf } from "./session";
import { tellApart, type Distinction, type NamesakeRow } from "./tell-apart";

export interface HeldCredential {
  code: string;
  title: string;
  state: CredentialState;
  /** Whether a newer one took its place. */
  isReplaced: boolean;
  expiresAt: Date | null;
  /** What distinguishes it from others of its title; null if no other has the title. */
  distinction: Distinction | null;
}

/** A holder as one organisation has them on record. */
export interface HomePerson {
  id: string;
  organisation: string;
  region: Region;
  name: string;
  /** That of the newest credential; null while there is none. */
  brand: Brand | null;
  /** The newest, at most 200. */
  credentials: HeldCredential[];
  /** How many credentials are older than those. */
  older: number;
  /** Further addresses that the holder added. */
  addresses: string[];
  /** Whether other people of the organisation have the session's address too: no further one can be added then. */
  sharesAddress: boolean;
  /** The newest name request; null if there was none. */
  nameRequest: { name: string; state: "waiting" | "approved" | "rejected"; reason: string | null } | null;
}

export interface Home {
  email: string;
  people: HomePerson[];
}

/**
 * Loads the people and credentials of a session's address, from all organisations.
 * @param language of the reader; the organisation's if it is left out
 * @returns null without a live session
 */
export async function loadHome(session: string | null, now: Date, language?: Language): Promise<Home | null> {
  const email = await addressOf(sql, session, now);
  if (email === null) return null;
  const people = await findPeopleWithAddress(sql, email);
  const alone = new Set(people.filter(({ isOnlyOne }) => isOnlyOne).map(({ id }) => uuidOf(id)));
  const pairs = [people.map(({ orgId }) => orgId), people.map(({ id }) => id)];
  const [rows, held] = await Promise.all([
    sql<PersonRow>(ofPeople, pairs),
    sql<HeldRow>(credentialsOf, [...pairs, now]),
  ]);
  return {
    email,
    people: rows.map(({ id, time_zone, locale, look, issued, ...row }) => {
      const region = { timeZone: time_zone, locale: language ? localeIn(language, locale) : locale };
      const own = held.filter(({ subject_id }) => uuidOf(subject_id) === uuidOf(id));
      const distinctions = tellApart(own, region);
      return {
        ...row,
        older: Math.max(0, issued - mostShown),
        sharesAddress: !alone.has(uuidOf(id)),
        brand:
          look &&
          brandOf(look.kind, { ...(look.colors && { colors: look.colors }), ...(look.logo && { logo: look.logo }) }),
        id: publicId("sub", id),
        region,
        credentials: own.map(({ code, title, state, replaced, expires_at }, i) => ({
          code: formatCode(code),
          title,
          state,
          isReplaced: replaced,
          expiresAt: expires_at,
          distinction: distinctions[i] ?? null,
        })),
      };
    }),
  };
}

interface PersonRow extends Pick<HomePerson, "organisation" | "name" | "addresses" | "nameRequest"> {
  id: Id<"sub">;
  time_zone: string;
  locale: string;
  issued: number;
  look: { kind: BrandedKind; colors: Design["colors"] | null; logo: string | null } | null;
}

interface HeldRow extends NamesakeRow {
  subject_id: Id<"sub">;
  code: string;
  state: CredentialState;
  replaced: boolean;
  expires_at: Date | null;
}

/** How many credentials of a person the page shows. */
const mostShown = 200;

const ofPeople = `
SELECT s.id, s.display_name AS name, o.name AS organisation, o.time_zone, o.locale,
  (SELECT json_build_object('kind', c.kind, 'colors', v.design -> 'colors', 'logo', v.design ->> 'logo') FROM credentials c
   JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id
   WHERE c.org_id = s.org_id AND c.subject_id = s.id ORDER BY c.id DESC LIMIT 1) AS look,
  (SELECT count(*)::int FROM credentials c WHERE c.org_id = s.org_id AND c.subject_id = s.id) AS issued,
  ARRAY(SELECT a.email FROM holder_addresses a WHERE a.org_id = s.org_id AND a.subject_id = s.id ORDER BY a.created_at) AS addresses,
  (SELECT json_build_object('name', r.name, 'state', r.state, 'reason', r.reason) FROM name_requests r
   WHERE r.org_id = s.org_id AND r.subject_id = s.id ORDER BY r.id DESC LIMIT 1) AS "nameRequest"
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (org_id, id, place)
CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = given.org_id AND id = given.id AND erased_at IS NULL OFFSET 0) s
JOIN organisations o ON o.id = s.org_id ORDER BY given.place`;

const credentialsOf = `
SELECT c.subject_id, c.code, ${credentialTitle} AS title, ${stateAt("$3")} AS state, c.superseded_by IS NOT NULL AS replaced, c.expires_at, c.valid_from, v.public_fields, c.data
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (org_id, id, place)
CROSS JOIN LATERAL (SELECT * FROM credentials WHERE org_id = given.org_id AND subject_id = given.id ORDER BY id DESC LIMIT ${mostShown}) c
JOIN templates t ON t.org_id = c.org_id AND t.id = c.template_id
JOIN template_versions v ON v.org_id = c.org_id AND v.id = c.template_version_id ORDER BY given.place, c.id DESC`;
