import { sql } from "@/server/core/db";
import { isObject, listOf, textOf, type JsonObject } from "@/server/standards/json";
import { sharedIds } from "@/server/standards/json-ld/shared-ids";
import { sharedId } from "@/server/standards/verify/check-content";
import type { CredentialVerification } from "@/server/standards/verify/verify-credential";
import { signableUrl } from "@/server/standards/vcdm/forms";
import { evidenceLabel, type Corrected } from "./corrected-since";
import { achievementOf } from "./document-parts";
import type { CredentialEvidence } from "./evidence";

/** The parts of a version of an achievement that are compared. */
interface Recorded {
  name: string;
  content: {
    description: string;
    criteria: { narrative?: string; url?: string };
    resultDescriptions: { key: string; name: string }[];
  };
}

/**
 * Whether a document of this service was altered although its signature is valid: it states another achievement than
 * the record. A published version of an achievement never changes, so no correction explains the difference. This is
 * possible for documents that use one id for two things, which this service once signed (decision 553).
 */
export async function isAltered({ org_id, id }: CredentialEvidence, document: JsonObject): Promise<boolean> {
  const stated = achievementOf(document);
  if (!isTangled(document)) return false;
  if (document["name"] !== stated["name"]) return true;
  const [row] = await sql<Recorded>(
    `SELECT a.name, a.content FROM credentials c
     JOIN achievement_versions a ON a.org_id = c.org_id AND a.id = c.achievement_version_id
     WHERE c.org_id = $1 AND c.id = $2`,
    [org_id, id],
  );
  // Without an achievement the document is named after the template, whose name may change.
  if (!row) return false;
  const { name, content } = row;
  const criteria = isObject(stated["criteria"]) ? stated["criteria"] : {};
  const url = content.criteria.url === undefined ? undefined : signableUrl(content.criteria.url);
  const results = new Map(content.resultDescriptions.map((each) => [each.key, each.name]));
  return (
    stated["name"] !== name ||
    stated["description"] !== content.description ||
    // The id of criteria is left out where something else has it, and criteria without words get the name.
    ![url, undefined].includes(criteria["id"] as string | undefined) ||
    ![content.criteria.narrative, ...(content.criteria.narrative === undefined ? [name] : [])].includes(
      criteria["narrative"] as string | undefined,
    ) ||
    listOf(stated["resultDescription"])
      .filter(isObject)
      .some((each) => each["name"] !== results.get(textOf(each["id"])?.split("#").at(-1) ?? ""))
  );
}

/**
 * Whether statements of a document could have been moved from one thing to another without invalidating its signature
 * over RDF: two things have the same id, or one thing is named only by its id or has several texts. This service writes
 * neither of the latter.
 */
function isTangled(document: JsonObject): boolean {
  if (document["proof"] === undefined) return false;
  const { name, description, criteria, resultDescription } = achievementOf(document);
  const things = [criteria, ...listOf(resultDescription), ...listOf(document["evidence"])];
  return (
    sharedIds(document).length > 0 ||
    [name, description].some((text) => typeof text !== "string") ||
    things.some((thing) => !isObject(thing) || Array.isArray(thing["name"]) || Array.isArray(thing["narrative"]))
  );
}

/**
 * Leaves out of the comparison with the record what cannot be told: where a document with a signature over RDF names two
 * things by one id, evidence that differs from the record may have been swapped rather than corrected. Where nothing
 * differs from the record, the record tells which statement is about which thing.
 */
export function withRecord(
  verification: CredentialVerification,
  corrected: Corrected,
): { verification: CredentialVerification; corrected: Corrected } {
  const { document = {}, checks } = verification;
  const [id] = document["proof"] === undefined ? [] : sharedIds(document);
  if (id === undefined) return { verification, corrected };
  const others = checks.filter(({ name }) => name !== "content");
  if (!corrected.labels.includes(evidenceLabel))
    return { verification: { ...verification, checks: others }, corrected };
  return {
    verification: { ...verification, checks: [...others, sharedId(id)] },
    corrected: { ...corrected, labels: corrected.labels.filter((label) => label !== evidenceLabel) },
  };
}
