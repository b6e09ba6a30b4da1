import type { TxCtx } from "@/server/core/context";
import { publicId, type Id } from "@/server/core/ids";
import { decrypt, encrypt } from "@/server/core/secrets";

interface Erased {
  subjectId: Id<"sub">;
  /** The hash that replaces the externalId. */
  externalId: string;
}

type Json = Record<string, unknown>;

/**
 * Blanks the person in the stored answers of POST and PATCH (contract section 2). The idempotency keys stay used, so a
 * repeated request still has no effect and its answer does not contain the person.
 */
export async function blankAnswers(ctx: TxCtx, erased: Erased): Promise<void> {
  const rows = await ctx.tx.sql<{ key: string; answer: Buffer }>(
    `SELECT key, answer FROM idempotency_records WHERE org_id = $1 AND (subject_ids @> ARRAY[$2::uuid] OR subject_ids IS NULL) FOR UPDATE`,
    [ctx.orgId, erased.subjectId],
  );
  for (const { key, answer } of rows) {
    const bound = `${ctx.orgId}\n${key}`;
    const plain = decrypt(answer, bound);
    if (!plain.includes(publicId("sub", erased.subjectId))) continue;
    const { body, headers, ...rest } = JSON.parse(plain) as { body: string; headers: Record<string, string> };
    // Drop the ETag: it is a digest of the person's data.
    const { etag: _, ...others } = headers;
    const blanked = {
      ...rest,
      body: JSON.stringify(blank(JSON.parse(body), { ...erased, subjectId: publicId("sub", erased.subjectId) })),
      headers: others,
    };
    ctx.tx.send(`UPDATE idempotency_records SET answer = $3 WHERE org_id = $1 AND key = $2`, [
      ctx.orgId,
      key,
      Buffer.from(encrypt(JSON.stringify(blanked), bound)),
    ]);
  }
}

/** Returns a JSON value without the person's data, in every API object that it contains. */
function blank(value: unknown, erased: { subjectId: string; externalId: string }): unknown {
  if (Array.isArray(value)) return value.map((each) => blank(each, erased));
  if (typeof value !== "object" || value === null) return value;
  const object = value as Json;
  if (object["object"] === "subject" && object["id"] === erased.subjectId)
    return {
      ...object,
      externalId: erased.externalId,
      displayName: "",
      email: null,
      attributes: {},
      photoReason: null,
      photoSetBy: null,
    };
  if (object["object"] === "credential" && object["subjectId"] === erased.subjectId)
    return { ...object, data: {}, metadata: {}, suspensionReason: null, revocationReason: null };
  if (object["object"] === "name_confirmation" && object["subjectId"] === erased.subjectId)
    return { ...object, name: "", requestedName: null, email: null, link: null, reason: null };
  if (object["object"] === "name_request" && object["subjectId"] === erased.subjectId)
    return { ...object, currentName: "", name: "", note: "", reason: null };
  if (object["object"] === "message" && object["subjectId"] === erased.subjectId)
    return { ...object, to: null, error: null };
  // A user of SCIM, whose meta names nobody, and a member or manager in another resource.
  if (Array.isArray(object["schemas"]) && object["id"] === erased.subjectId)
    return { schemas: object["schemas"], id: object["id"], meta: object["meta"] };
  if (object["value"] === erased.subjectId) return { value: object["value"] };
  return Object.fromEntries(Object.entries(object).map(([name, each]) => [name, blank(each, erased)]));
}
