import { z } from "zod";
import { line, timestamp } from "@/server/core/input";
import { claimFields } from "./fields";

/** More than a code can be shown to; a mistyped number is refused. */
const mostClaims = 1_000_000;

/** What can be chosen of a claim link, also later. */
export const linkFields = {
  name: line(200)
    .optional()
    .meta({ description: "For the organisation: what the link is for. Not shown to claimants." }),
  maxClaims: z.int().min(1).max(mostClaims).nullable().optional().meta({
    description: "How many can claim; no limit unless sent. Never exceeded, however many claim at once.",
  }),
  expiresAt: timestamp
    .refine(
      (at) => at.getUTCFullYear() >= 1900 && at.getUTCFullYear() < 9999,
      "must be between the years 1900 and 9998",
    )
    .nullable()
    .optional()
    .meta({ description: "No claim is taken from then on; never ends unless sent. A time in the past ends it now." }),
  approval: z.boolean().optional().meta({
    description: "Whether each claim waits until somebody approves it. false unless sent.",
  }),
  fields: claimFields.nullable().optional().meta({
    description:
      "What people fill in besides their name. null or left out: every field that the template's design reads as attributes.* or credential.data.*. An empty list asks for the name alone.",
  }),
};
