import { sql } from "@/server/core/db";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { lookUp } from "@/server/core/look-up";
import { readCode } from "@/server/credentials/code";
import { hiddenFromFiles } from "@/server/templates/hidden-from-files";
import { badgeFacts, type BadgeFacts } from "./facts";

/**
 * Finds the credential of a code whose files are public: the template's public page shows everything that the files
 * say.
 *
 * @throws DomainError `not_found` for every other code; a credential whose holder was erased is returned, and its files
 * are refused as `gone`
 */
export async function publicBadgeFacts(code: string): Promise<{ orgId: Id<"org">; facts: BadgeFacts }> {
  const found = await find(code);
  if (!found || found.kind !== "academic" || (!found.erased_at && !isPublic(found)))
    throw new DomainError("not_found", "There is no credential with this code whose files are public.");
  const { org_id: orgId, ...facts } = found;
  return { orgId, facts };
}

/** Returns the facts of a code's public page that its files need; null if the files are not public. */
export async function findPublicFiles(code: string): Promise<BadgeFacts | null> {
  const found = await find(code);
  return found && found.kind === "academic" && !found.erased_at && isPublic(found) ? found : null;
}

async function find(code: string): Promise<(BadgeFacts & { org_id: Id<"org"> }) | undefined> {
  const [found] = await lookUp<BadgeFacts & { org_id: Id<"org"> }>(
    sql,
    `SELECT c.org_id, ${badgeFacts} WHERE c.code = $1`,
    [readCode(code) ?? ""],
  );
  return found;
}

/**
 * Whether the public page shows everything that the files say. The holder's name counts although the document has only a
 * hash: whoever knows the holder's address can compute the same hash.
 */
function isPublic({ recipient_identity, public_name, public_fields, achievement, data }: BadgeFacts): boolean {
  const bindings = (public_fields ?? []).flatMap(({ binding }) => binding ?? []);
  const keys = (achievement?.content.resultDescriptions ?? []).map(({ key }) => key);
  const page = { recipientIdentity: recipient_identity, publicName: public_name, bindings };
  return hiddenFromFiles(page, keys, data).length === 0;
}
