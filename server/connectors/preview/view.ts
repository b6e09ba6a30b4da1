import { z } from "zod";
import { pageOf } from "@/server/core/pagination";
import { holdSchema, runCounts, runErrorSummary } from "../run-view";

export const previewActions = ["create", "update", "none", "deactivate", "reject"] as const;
export type PreviewAction = (typeof previewActions)[number];

const value = z.unknown().meta({ description: "null if the field is empty." });

export const previewRowSchema = z
  .object({
    line: z
      .int()
      .nullable()
      .meta({ description: "The line of the file, from 1; null for a person who is missing from a full file." }),
    externalId: z.string().nullable().meta({ description: "null if the row has no usable id." }),
    displayName: z.string().nullable().meta({ description: "The name after the change; null for a rejected row." }),
    action: z.enum(previewActions),
    changes: z.array(z.object({ field: z.string(), from: value, to: value })),
    ownedElsewhere: z.array(z.string()).meta({
      description: "Fields of the row that are ignored, because a connector with a lower priority number writes them.",
    }),
    errors: z.array(z.object({ column: z.string().nullable(), code: z.string(), message: z.string() })),
  })
  .meta({ id: "ConnectorPreviewRow" });
export type PreviewRow = z.output<typeof previewRowSchema>;

export const previewSchema = z
  .object({
    counts: runCounts,
    hold: holdSchema.nullable().meta({ description: "Why the run's deactivations would wait for approval." }),
    errorSummary: runErrorSummary.nullable().meta({ description: "Why the run would fail and change nobody." }),
    ...pageOf(previewRowSchema).shape,
  })
  .meta({ id: "ConnectorPreview" });
export type PreviewView = z.output<typeof previewSchema>;
