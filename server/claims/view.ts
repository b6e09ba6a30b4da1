import { z } from "zod";
import { entityTag } from "@/server/core/entity-tag";
import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import { formatCode } from "@/server/credentials/code";
import { claimField, type ClaimField } from "./fields";

export const linkStates = ["open", "used_up", "ended"] as const;
export type LinkState = (typeof linkStates)[number];

/** A row of `claim_links`, as raw SQL returns it. */
export interface ClaimLinkRow {
  id: Id<"clk">;
  code: string;
  name: string;
  template_id: Id<"tpl">;
  max_claims: number | null;
  claimed: number;
  expires_at: Date | null;
  approval: boolean;
  fields: ClaimField[] | null;
  created_at: Date;
  updated_at: Date;
  waiting: number;
  confirming: number;
}

/** SQL: the columns of ClaimLinkRow from `claim_links l`. `claimed` counts waiting, confirming and issued claims. */
export const linkColumns = `l.id, l.code, l.name, l.template_id, l.max_claims, l.claimed, l.expires_at, l.approval, l.fields, l.created_at, l.updated_at,
  (SELECT count(*)::int FROM claims c WHERE c.org_id = l.org_id AND c.claim_link_id = l.id AND c.state = 'waiting') AS waiting,
  (SELECT count(*)::int FROM claims c WHERE c.org_id = l.org_id AND c.claim_link_id = l.id AND c.state = 'confirming') AS confirming`;

export const claimLinkSchema = z
  .object({
    id: z.string(),
    object: z.literal("claim_link"),
    name: z.string(),
    code: z.string(),
    url: z.string().meta({ description: "The public page of the link, which people open to claim." }),
    templateId: z.string(),
    state: z.enum(linkStates).meta({
      description: "open: accepts claims. used_up: all maxClaims places are taken. ended: expiresAt has passed.",
    }),
    maxClaims: z.int().nullable().meta({ description: "How many people can claim; null for no limit." }),
    expiresAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the link stops accepting claims; null for never." }),
    approval: z.boolean().meta({ description: "Whether each claim waits until somebody approves it." }),
    fields: z.array(claimField).nullable().meta({
      description:
        "The fields that people fill in besides their name; null for every field that the template's design reads.",
    }),
    placesTaken: z
      .int()
      .meta({ description: "Claims that count against maxClaims: waiting, confirming and issued ones." }),
    waitingCount: z.int(),
    confirmingCount: z
      .int()
      .meta({ description: "Claims whose holders have to confirm their names before anything is issued." }),
    issuedCount: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "ClaimLink" });
export type ClaimLinkView = z.output<typeof claimLinkSchema>;

/** Whether a link accepts claims now, or why not. */
export function linkStateAt(row: Pick<ClaimLinkRow, "expires_at" | "max_claims" | "claimed">, now: Date): LinkState {
  if (row.expires_at && row.expires_at <= now) return "ended";
  return row.max_claims !== null && row.claimed >= row.max_claims ? "used_up" : "open";
}

export const claimUrl = (code: string): string => `${env().PUBLIC_URL}/claim/${formatCode(code)}`;

export function claimLinkView(row: ClaimLinkRow, now: Date): ClaimLinkView {
  return {
    id: publicId("clk", row.id),
    object: "claim_link",
    name: row.name,
    code: formatCode(row.code),
    url: claimUrl(row.code),
    templateId: publicId("tpl", row.template_id),
    state: linkStateAt(row, now),
    maxClaims: row.max_claims,
    expiresAt: row.expires_at?.toISOString() ?? null,
    approval: row.approval,
    fields: row.fields,
    placesTaken: row.claimed,
    waitingCount: row.waiting,
    confirmingCount: row.confirming,
    issuedCount: row.claimed - row.waiting - row.confirming,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** The ETag of a claim link. Counts and state are left out, so that a new claim does not cause an edit conflict. */
export function claimLinkTag(view: ClaimLinkView): string {
  return entityTag(view, ["state", "placesTaken", "waitingCount", "confirmingCount", "issuedCount", "updatedAt"]);
}
