import type { Ctx } from "@/server/core/context";
import { reading } from "@/server/core/db";
import { notFound } from "@/server/core/errors";
import { publicId, type Id } from "@/server/core/ids";
import { opaque } from "@/server/core/opaque";
import { subjectColumns, type SubjectRow } from "./view";

/** @throws DomainError not_found, also for a subject of another organisation. */
export async function loadSubject(
  ctx: Ctx,
  id: Id<"sub">,
  lock: "" | "FOR UPDATE" | "FOR SHARE" = "",
): Promise<SubjectRow> {
  const [row] = await reading(ctx).sql<SubjectRow>(
    `SELECT ${subjectColumns} FROM subjects WHERE org_id = ${opaque("$1")} AND id = $2 ${lock}`,
    [ctx.orgId, id],
  );
  if (!row) throw notFound("subject", publicId("sub", id));
  return row;
}
