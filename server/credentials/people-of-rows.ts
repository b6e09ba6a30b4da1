import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { isId, publicId, readId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import type { Holder } from "./holders-of";

/** The subject of a row of a bulk job as it was sent. It may be any JSON. */
export type SentSubject = { id?: unknown; externalId?: unknown } | null | undefined;

export interface NamedPerson extends Holder {
  id: string;
}

/**
 * Looks up the people in rows, by id or by external id. Undefined for a row whose person is not found or was erased.
 */
export async function peopleOfRows(
  ctx: Ctx,
  sent: readonly SentSubject[],
): Promise<(subject: SentSubject) => NamedPerson | undefined> {
  const ids = new Set(sent.flatMap((subject) => idOf(subject) ?? []));
  const externalIds = new Set(sent.flatMap((subject) => (idOf(subject) ? [] : (externalIdOf(subject) ?? []))));
  if (ids.size + externalIds.size === 0) return () => undefined;
  const found = await reading(ctx).sql<Holder & { id: Id<"sub"> }>(
    `SELECT s.id, s.external_id AS "externalId", s.display_name AS name FROM (
       SELECT byid.* FROM unnest($2::uuid[]) AS given (id)
       CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND id = given.id OFFSET 0) byid
       UNION ALL
       SELECT named.* FROM unnest($3::text[]) AS given (external_id)
       CROSS JOIN LATERAL (SELECT * FROM subjects WHERE org_id = ${opaque("$1")} AND external_id = given.external_id OFFSET 0) named
     ) s WHERE s.erased_at IS NULL`,
    [ctx.orgId, [...ids].map((id) => readId("sub", id)), [...externalIds]],
  );
  const people = found.map((row) => ({ ...row, id: publicId("sub", row.id) }));
  const byId = new Map<string, NamedPerson>(people.map((person) => [person.id, person]));
  const byExternalId = new Map<string, NamedPerson>(people.map((person) => [person.externalId, person]));
  return (subject) => {
    const id = idOf(subject);
    return id ? byId.get(id) : byExternalId.get(externalIdOf(subject) ?? "");
  };
}

const idOf = (subject: SentSubject) =>
  typeof subject?.id === "string" && isId("sub", subject.id) ? subject.id : undefined;

const externalIdOf = (subject: SentSubject) =>
  typeof subject?.externalId === "string" && !subject.externalId.includes("\0")
    ? subject.externalId.normalize("NFC").trim()
    : undefined;
