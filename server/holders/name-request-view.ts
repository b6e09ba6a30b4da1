import { z } from "zod";
import { publicId, type Id } from "@/server/core/ids";

export const nameRequestStates = ["waiting", "approved", "rejected"] as const;

/** A row of `name_requests`, with the name on record. */
export interface NameRequestRow {
  id: Id<"nrq">;
  subject_id: Id<"sub">;
  name: string;
  note: string;
  state: (typeof nameRequestStates)[number];
  reason: string | null;
  decided_at: Date | null;
  created_at: Date;
  record_name: string;
}

export const nameRequestSchema = z
  .object({
    id: z.string(),
    object: z.literal("name_request"),
    subjectId: z.string(),
    currentName: z.string().meta({ description: "The name on record now." }),
    name: z.string().meta({ description: "The name that the holder requests." }),
    note: z.string().meta({ description: "The holder's note about the request." }),
    state: z.enum(nameRequestStates),
    reason: z.string().nullable().meta({ description: "Why it was rejected. Shown to the holder." }),
    decidedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: "NameRequest" });
export type NameRequestView = z.output<typeof nameRequestSchema>;

export const nameRequestView = (row: NameRequestRow): NameRequestView => ({
  id: publicId("nrq", row.id),
  object: "name_request",
  subjectId: publicId("sub", row.subject_id),
  currentName: row.record_name,
  name: row.name,
  note: row.note,
  state: row.state,
  reason: row.reason,
  decidedAt: row.decided_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});
