import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";

export const effects = ["grant", "deny"] as const;

export interface ExceptionRow {
  policy_id: Id<"pol">;
  subject_id: Id<"sub">;
  external_id: string;
  display_name: string;
  effect: (typeof effects)[number];
  reason: string;
  until: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const exceptionSchema = z
  .object({
    object: z.literal("policy_exception"),
    policyId: z.string(),
    subjectId: z.string(),
    externalId: z.string(),
    displayName: z.string(),
    effect: z.enum(effects).meta({
      description: "grant: holds a credential whatever the rule says. deny: holds none. Never wins over inactive.",
    }),
    reason: z.string(),
    until: z.iso.datetime().nullable().meta({ description: "When it ends by itself." }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "PolicyException" });

export const exceptionView = (row: ExceptionRow): z.output<typeof exceptionSchema> => ({
  object: "policy_exception",
  policyId: publicId("pol", row.policy_id),
  subjectId: publicId("sub", row.subject_id),
  externalId: row.external_id,
  displayName: row.display_name,
  effect: row.effect,
  reason: row.reason,
  until: row.until?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
