import { route } from "@/server/http/rest/route";
import { rejectPhoto } from "@/server/subjects/reject-photo";
import { subjectSchema } from "@/server/subjects/view";

export const POST = route({
  operation: rejectPhoto,
  summary: "Reject the photo of a subject",
  description: "No card shows it until another photo is set.",
  response: subjectSchema,
  example: { request: { photoUpdatedAt: "2026-09-01T09:00:00.000Z", reason: "The face is not to be seen" } },
});
