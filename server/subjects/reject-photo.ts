import { z } from "zod";
import { line } from "@/server/core/input";
import { command } from "@/server/core/operation";
import { decidedPhoto, decidePhoto } from "./decide-photo";
import { subjectTag } from "./view";

/**
 * Rejects the photo of a subject. From the commit on, no card shows it, until another photo is set or this one is
 * approved. Emits subject.updated.
 */
export const rejectPhoto = command({
  name: "subjects.photo.reject",
  scope: "subjects:write",
  input: z.strictObject({
    ...decidedPhoto,
    reason: line(500)
      .min(1, "must not be empty")
      .meta({ description: "What is wrong with it, for whoever sends another." }),
  }),
  tag: subjectTag,
  run: (ctx, { reason, ...seen }) => decidePhoto(ctx, seen, "rejected", reason),
});
