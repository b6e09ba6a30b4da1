import { z } from "zod";
import type { Ctx, TxCtx } from "@/server/core/context";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { messageStates, type MessageState } from "@/server/message-texts/kinds";
import type { IssueInput } from "./input";
import {
  confirmationObstacles,
  joinObstacles,
  obstacleColumns,
  obstacleOf,
  type ObstacleFacts,
} from "./confirmation-obstacle";
import { sourceTypes } from "./view";

export const confirmationStates = ["waiting", "confirmed", "cancelled"] as const;
export type ConfirmationState = (typeof confirmationStates)[number];

/** The terms to issue at the confirmation, besides person and template, in the format of POST /v1/credentials. */
export type ConfirmationTerms = Omit<IssueInput, "subject" | "templateId" | "achievementId"> & {
  achievementId?: string;
};

/** A row of `name_confirmations`, with the facts that people see with it. */
export interface ConfirmationRow extends ObstacleFacts {
  id: Id<"ncf">;
  subject_id: Id<"sub">;
  template_id: Id<"tpl">;
  state: ConfirmationState;
  token: string;
  link_expires_at: Date;
  terms: ConfirmationTerms;
  source_type: (typeof sourceTypes)[number];
  source_id: string | null;
  credential_id: Id<"crd"> | null;
  reason: string | null;
  decided_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** The name on record now. */
  record_name: string;
  /** The holder's present address. */
  email: string | null;
  /** The undecided name that the holder asked for. */
  requested_name: string | null;
  /** The result of the newest e-mail; null if it went to another address than the present one. */
  mail_state: MessageState | null;
}

/** SQL: the columns of ConfirmationRow of the request `n`, with joinConfirmation. */
export const confirmationColumns = `n.id, n.subject_id, n.template_id, n.state, n.token, n.link_expires_at, n.terms, n.source_type, n.source_id, n.credential_id, n.reason, n.decided_at, n.created_at, n.updated_at,
  holder.record_name, holder.email, asked.name AS requested_name, mail.state AS mail_state, ${obstacleColumns}`;

export const joinConfirmation = `CROSS JOIN LATERAL (SELECT display_name AS record_name, email, status = 'active' AS is_active FROM subjects WHERE org_id = n.org_id AND id = n.subject_id OFFSET 0) holder
LEFT JOIN LATERAL (SELECT name FROM name_requests WHERE org_id = n.org_id AND subject_id = n.subject_id AND state = 'waiting' OFFSET 0) asked ON true
LEFT JOIN LATERAL (SELECT state, address FROM messages WHERE org_id = n.org_id AND confirmation_id = n.id ORDER BY id DESC LIMIT 1) mail
  ON mail.address IS NULL OR lower(mail.address) = lower(holder.email)
${joinObstacles}`;

export async function loadConfirmations(ctx: TxCtx, ids: Id<"ncf">[]): Promise<Map<Id<"ncf">, ConfirmationRow>> {
  if (ids.length === 0) return new Map();
  const rows = await ctx.tx.sql<ConfirmationRow>(
    `SELECT ${confirmationColumns} FROM unnest($2::uuid[]) AS given (id)
     CROSS JOIN LATERAL (SELECT * FROM name_confirmations WHERE org_id = $1 AND name_confirmations.id = given.id OFFSET 0) n
     ${joinConfirmation}`,
    [ctx.orgId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Locks requests in the order of their ids, so that two sets cannot deadlock.
 *
 * @returns the ids of the waiting ones
 */
export async function lockWaiting(ctx: TxCtx, ids: Id<"ncf">[]): Promise<Id<"ncf">[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.tx.sql<{ id: Id<"ncf"> }>(
    `SELECT n.id FROM (SELECT DISTINCT id FROM unnest($2::uuid[]) AS given (id) ORDER BY id) given
     CROSS JOIN LATERAL (SELECT id FROM name_confirmations WHERE org_id = $1 AND name_confirmations.id = given.id AND state = 'waiting' FOR UPDATE) n`,
    [ctx.orgId, ids],
  );
  return rows.map(({ id }) => id);
}

const time = z.iso.datetime();

export const confirmationSchema = z
  .object({
    id: z.string(),
    object: z.literal("name_confirmation"),
    state: z.enum(confirmationStates).meta({
      description:
        "waiting: nothing is issued yet. confirmed: the credential was issued. cancelled: nothing was issued, and nothing will be.",
    }),
    subjectId: z.string(),
    templateId: z.string(),
    name: z.string().meta({ description: "The name on record, which the credential will have." }),
    requestedName: z.string().nullable().meta({
      description:
        "The other name that the holder asked for. Decide on it first, in /v1/name_requests: until then nobody can confirm.",
    }),
    credentialId: z.string().nullable().meta({ description: "What was issued after the confirmation." }),
    email: z.string().nullable().meta({
      description: "The holder's address. Without one, nothing is sent: pass the link on, or confirm for the holder.",
    }),
    mail: z.enum(messageStates).nullable().meta({
      description:
        "What became of the newest e-mail with the link to this address; null if none was made. A changed address gets a new link by itself, and the former link works no more.",
    }),
    link: z.string().nullable().meta({
      description: "The holder's page. null once it is decided, and for callers without the scope credentials:issue.",
    }),
    linkExpiresAt: time.meta({ description: "The link works for 30 days. Sending it again makes a new one." }),
    obstacle: z.enum(confirmationObstacles).nullable().meta({
      description:
        "Why nothing can be issued at present, although it waits. inactive: the person is inactive. expired: the credential would have expired. held: the person holds the credential already. revoked: the person's credential of this template was revoked after the holder was asked. For all but inactive, cancel the request.",
    }),
    reason: z.string().nullable().meta({
      description: "Why it was cancelled, or why somebody confirmed the name for the holder.",
    }),
    source: z.object({ type: z.enum(sourceTypes), id: z.string().nullable() }),
    decidedAt: time.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({
    id: "NameConfirmation",
    description:
      "Of a template with confirmName: the request that a holder confirms the name. The credential is issued at the confirmation, and nothing of it exists before.",
  });
export type ConfirmationView = z.output<typeof confirmationSchema>;

export const confirmationUrl = (token: string) => `${env().PUBLIC_URL}/confirm/${token}`;

export function confirmationView(row: ConfirmationRow, { scopes, now }: Pick<Ctx, "scopes" | "now">): ConfirmationView {
  const isWaiting = row.state === "waiting";
  return {
    id: publicId("ncf", row.id),
    object: "name_confirmation",
    state: row.state,
    subjectId: publicId("sub", row.subject_id),
    templateId: publicId("tpl", row.template_id),
    name: row.record_name,
    requestedName: isWaiting ? row.requested_name : null,
    credentialId: publicId("crd", row.credential_id),
    email: row.email,
    mail: row.mail_state,
    link: isWaiting && scopes.has("credentials:issue") ? confirmationUrl(row.token) : null,
    linkExpiresAt: row.link_expires_at.toISOString(),
    obstacle: obstacleOf(row, now),
    reason: row.reason,
    source: { type: row.source_type, id: row.source_id },
    decidedAt: row.decided_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The facts of a request in events: no name and no address. */
export const confirmationFactsOf = (row: ConfirmationRow) => ({
  object: "name_confirmation" as const,
  id: publicId("ncf", row.id),
  state: row.state,
  subjectId: publicId("sub", row.subject_id),
  templateId: publicId("tpl", row.template_id),
  credentialId: publicId("crd", row.credential_id),
  linkExpiresAt: row.link_expires_at.toISOString(),
});
