import { route } from "@/server/http/rest/route";
import { approvePhoto } from "@/server/subjects/approve-photo";
import { subjectSchema } from "@/server/subjects/view";

export const POST = route({
  operation: approvePhoto,
  summary: "Approve the photo of a subject",
  description: "Templates with photoApproval show a photo only once it was approved.",
  response: subjectSchema,
  example: { request: { photoUpdatedAt: "2026-09-01T09:00:00.000Z" } },
});
