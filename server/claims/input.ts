import { z } from "zod";
import { line, timestamp } from "@/server/core/input";
import { claimFields } from "./fields";

/** More than any link needs, so that a mistyped number is refused. */
const mostClaims = 1_000_000;

/** The fields of a claim link that can be set at creation and changed later. */
export const linkFields = {
  name: line(200)
    .optional()
    .meta({ description: "What the link is for, as a note for the organisation. Not shown to claimants." }),
  maxClaims: z.int().min(1).max(mostClaims).nullable().optional().meta({
    description: "How many people can claim; no limit unless sent. Concurrent claims never exceed it.",
  }),
  expiresAt: timestamp
    .refine(
      (at) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() < 9999,
      "must be between the years 1900 and 9998",
    )
    .nullable()
    .optional()
    .meta({ description: "When the link stops accepting claims; never unless sent. A time in the past ends it now." }),
  approval: z.boolean().optional().meta({
    description: "Whether each claim waits until somebody approves it. false unless sent.",
  }),
  fields: claimFields.nullable().optional().meta({
    description:
      "The fields that people fill in besides their name. null or left out: every field that the template's design reads as attributes.* or credential.data.*. An empty list: only the name.",
  }),
};
