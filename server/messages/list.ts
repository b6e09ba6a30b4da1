import { z } from "zod";
import { reading } from "@/server/core/db";
import { isAmong, severalIds, severalOf } from "@/server/core/list-filters";
import { query } from "@/server/core/operation";
import { like, wordsOf } from "@/server/core/words";
import { page, paginate } from "@/server/core/pagination";
import { messageKinds, messageStates } from "@/server/message-texts/kinds";
import { joinMessage, messageColumns, messageView, type MessageRow } from "./view";

/** Lists the messages to holders, newest first. Messages that are no longer pending are deleted after 90 days. */
export const listMessages = query({
  name: "messages.list",
  scope: "credentials:read",
  // Messages contain addresses of people.
  alsoScope: "subjects:read",
  input: z.strictObject({
    state: severalOf(messageStates).optional(),
    kind: severalOf(messageKinds).optional(),
    templateId: severalIds("tpl").optional(),
    subjectId: severalIds("sub").optional(),
    credentialId: severalIds("crd").optional(),
    nameConfirmationId: severalIds("ncf").optional(),
    q: z.string().trim().max(200).optional().meta({
      description:
        "Words, in any order, each part of the holder's name, e-mail or external id, or of the address that the message went to.",
    }),
    ...page,
  }),
  async run(ctx, { limit, cursor, offset, ...filter }) {
    const { sql } = reading(ctx);
    const values: unknown[] = [ctx.orgId];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const words = wordsOf(filter.q ?? "").map((word) => parameter(like(word)));
    const where = [
      "m.org_id = $1",
      ...(filter.state ? [isAmong("m.state", "text", filter.state, parameter)] : []),
      ...(filter.kind ? [isAmong("m.kind", "text", filter.kind, parameter)] : []),
      ...(filter.templateId ? [isAmong("m.template_id", "uuid", filter.templateId, parameter)] : []),
      ...(filter.subjectId ? [isAmong("m.subject_id", "uuid", filter.subjectId, parameter)] : []),
      ...(filter.nameConfirmationId
        ? [isAmong("m.confirmation_id", "uuid", filter.nameConfirmationId, parameter)]
        : []),
      ...(words.length > 0
        ? [
            `(m.subject_id IN (SELECT id FROM subjects WHERE org_id = $1 AND ${words.map((word) => `search LIKE search_fold(${word})`).join(" AND ")}) OR (${words.map((word) => `search_fold(m.address) LIKE search_fold(${word})`).join(" AND ")}))`,
          ]
        : []),
      ...(filter.credentialId ? [isAmong("m.credential_id", "uuid", filter.credentialId, parameter)] : []),
    ].join(" AND ");
    const found = await paginate(
      { limit, cursor, offset },
      {
        binding: [ctx.orgId, "messages", filter],
        fetch: ({ after, take, skip }) =>
          sql<MessageRow>(
            `SELECT ${messageColumns} FROM (
               SELECT * FROM messages m WHERE ${where} AND ($${values.length + 1}::uuid IS NULL OR m.id < $${values.length + 1}) ORDER BY m.id DESC LIMIT $${values.length + 2} OFFSET $${values.length + 3}
             ) AS m ${joinMessage} ORDER BY m.id DESC`,
            [...values, after, take, skip],
          ),
        count: async () =>
          (await sql<{ n: number }>(`SELECT count(*) AS n FROM messages m WHERE ${where}`, values))[0]!.n,
        keyOf: (row) => row.id,
      },
    );
    return { ...found, data: found.data.map((row) => messageView(row, ctx)) };
  },
});
