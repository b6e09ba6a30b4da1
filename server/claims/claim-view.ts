import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";

export const claimStates = ["waiting", "confirming", "issued", "rejected"] as const;
export type ClaimState = (typeof claimStates)[number];

/** A row of `claims`, as raw SQL returns it. */
export interface ClaimRow {
  id: Id<"clm">;
  claim_link_id: Id<"clk">;
  email: string;
  display_name: string;
  data: Record<string, unknown>;
  state: ClaimState;
  reason: string | null;
  subject_id: Id<"sub"> | null;
  credential_id: Id<"crd"> | null;
  confirmation_id: Id<"ncf"> | null;
  decided_at: Date | null;
  created_at: Date;
  /** The name of the linked person on record; null while there is none. */
  record_name: string | null;
}

export const claimColumns = `id, claim_link_id, email, display_name, data, state, reason, subject_id, credential_id, confirmation_id, decided_at, created_at`;

export const claimSchema = z
  .object({
    id: z.string(),
    object: z.literal("claim"),
    claimLinkId: z.string(),
    email: z.string().meta({ description: "The address that the claimant proved, in lower case." }),
    displayName: z.string().meta({
      description: "The name of the person on record with this address, otherwise the name that the claimant entered.",
    }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "The values that the claimant entered. They become the data of the credential." }),
    state: z.enum(claimStates).meta({
      description: "confirming: the claimant has to confirm the name first, as the template asks.",
    }),
    reason: z.string().nullable().meta({ description: "Why it was rejected." }),
    subjectId: z.string().nullable(),
    credentialId: z.string().nullable(),
    nameConfirmationId: z.string().nullable().meta({
      description: "The request that the claimant confirms the name, where the template asks for it.",
    }),
    decidedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "Claim" });
export type ClaimView = z.output<typeof claimSchema>;

export function claimView(row: ClaimRow): ClaimView {
  return {
    id: publicId("clm", row.id),
    object: "claim",
    claimLinkId: publicId("clk", row.claim_link_id),
    email: row.email,
    displayName: row.record_name ?? row.display_name,
    data: row.data,
    state: row.state,
    reason: row.reason,
    subjectId: publicId("sub", row.subject_id),
    credentialId: publicId("crd", row.credential_id),
    nameConfirmationId: publicId("ncf", row.confirmation_id),
    decidedAt: row.decided_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

/** The result for one claim of a bulk decision. */
export const decidedClaimSchema = z.object({
  index: z.int(),
  id: z.string(),
  ok: z.boolean(),
  credentialId: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export const decidedClaimsSchema = z
  .object({ data: z.array(decidedClaimSchema), succeeded: z.int(), failed: z.int() })
  .meta({ id: "DecidedClaims" });
export type DecidedClaims = z.output<typeof decidedClaimsSchema>;

/** @param rows one result per claim, in the order of the request */
export const decidedClaims = (rows: Omit<DecidedClaims["data"][number], "index" | "ok">[]): DecidedClaims => ({
  data: rows.map((row, index) => ({ index, ok: row.error === null, ...row })),
  succeeded: rows.filter(({ error }) => error === null).length,
  failed: rows.filter(({ error }) => error !== null).length,
});
