import { z } from "zod";
import { audit } from "@/server/access/audit";
import type { TxCtx } from "@/server/core/context";
import { newId, publicId, uuidOf, type Id } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { visitorCommand } from "@/server/core/operation";
import { holderIn } from "./holder-visitor";
import { findPeopleWithAddress } from "./people-with-address";
import { addressOf } from "./session";

/** The rules for a name and a note. */
export const wishedName = { name: line(300).min(1, "must not be empty"), note: line(500) };

/**
 * Requests that an organisation corrects a holder's name. Leaves an audit entry.
 *
 * @returns `asked`; `waiting` if an earlier request of the person waits for a decision; `unchanged` if this is the name on
 *   record; `unknown` if the session has no such person
 */
export const requestName = visitorCommand({
  name: "holders.request_name",
  input: z.strictObject({
    session: z.string().max(200),
    subjectId: id("sub"),
    ...wishedName,
  }),
  async run(visitor, tx, { session, subjectId, name, note }): Promise<"asked" | "waiting" | "unchanged" | "unknown"> {
    const email = await addressOf(tx.sql, session, visitor.now);
    const people = email === null ? [] : await findPeopleWithAddress(tx.sql, email);
    const person = people.find((each) => uuidOf(each.id) === uuidOf(subjectId));
    if (!person) return "unknown";
    return storeNameRequest(holderIn(visitor, tx, person.orgId), person.id, name, note);
  },
});

/**
 * Stores a holder's request for another name. Leaves an audit entry.
 *
 * @returns the result of requestName
 */
export async function storeNameRequest(
  ctx: TxCtx,
  subjectId: Id<"sub">,
  name: string,
  note: string,
): Promise<"asked" | "waiting" | "unchanged" | "unknown"> {
  // Locked, because an erasure may be running, after which the person no longer exists.
  const [record] = await ctx.tx.sql<{ name: string }>(
    `SELECT display_name AS name FROM subjects WHERE org_id = $1 AND id = $2 AND erased_at IS NULL FOR SHARE`,
    [ctx.orgId, subjectId],
  );
  if (!record) return "unknown";
  if (record.name === name) return "unchanged";
  const requestId = newId("nrq");
  const [asked] = await ctx.tx.sql(
    `INSERT INTO name_requests (org_id, id, subject_id, name, note, state, created_at) VALUES ($1, $2, $3, $4, $5, 'waiting', $6)
     ON CONFLICT (org_id, subject_id) WHERE state = 'waiting' DO NOTHING RETURNING 1`,
    [ctx.orgId, requestId, subjectId, name, note, ctx.now],
  );
  if (!asked) return "waiting";
  await audit(ctx, "name_request.submitted", { type: "name_request", id: publicId("nrq", requestId) });
  return "asked";
}
