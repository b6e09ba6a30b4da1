import { z } from "zod";
import { command } from "@/server/core/operation";
import { decidedPhoto, decidePhoto } from "./decide-photo";
import { subjectTag } from "./view";

/** Approves the photo of a subject: templates with photoApproval show it from the commit on. Emits subject.updated. */
export const approvePhoto = command({
  name: "subjects.photo.approve",
  scope: "subjects:write",
  input: z.strictObject(decidedPhoto),
  tag: subjectTag,
  run: (ctx, seen) => decidePhoto(ctx, seen, "approved", null),
});
