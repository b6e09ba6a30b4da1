import { z } from "zod";
import { audit } from "@/server/access/audit";
import { newId, publicId, uuidOf } from "@/server/core/ids";
import { id, line } from "@/server/core/input";
import { visitorCommand } from "@/server/core/operation";
import { holderIn } from "./holder-visitor";
import { findPeopleWithAddress } from "./people-with-address";
import { addressOf } from "./session";

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
    name: line(300).min(1, "must not be empty"),
    note: line(500),
  }),
  async run(visitor, tx, { session, subjectId, name, note }): Promise<"asked" | "waiting" | "unchanged" | "unknown"> {
    const email = await addressOf(tx.sql, session, visitor.now);
    const people = email === null ? [] : await findPeopleWithAddress(tx.sql, email);
    const person = people.find((each) => uuidOf(each.id) === uuidOf(subjectId));
    if (!person) return "unknown";
    // Locked, because an erasure may be running: afterwards the person is gone.
    const [record] = await tx.sql<{ name: string }>(
      `SELECT display_name AS name FROM subjects WHERE org_id = $1 AND id = $2 AND erased_at IS NULL FOR SHARE`,
      [person.orgId, person.id],
    );
    if (!record) return "unknown";
    if (record.name === name) return "unchanged";
    const requestId = newId("nrq");
    const [asked] = await tx.sql(
      `INSERT INTO name_requests (org_id, id, subject_id, name, note, state, created_at) VALUES ($1, $2, $3, $4, $5, 'waiting', $6)
       ON CONFLICT (org_id, subject_id) WHERE state = 'waiting' DO NOTHING RETURNING 1`,
      [person.orgId, requestId, person.id, name, note, visitor.now],
    );
    if (!asked) return "waiting";
    await audit(holderIn(visitor, tx, person.orgId), "name_request.submitted", {
      type: "name_request",
      id: publicId("nrq", requestId),
    });
    return "asked";
  },
});
