import { route } from "@/server/http/rest/route";
import { deletePhoto } from "@/server/subjects/delete-photo";
import { photoLimit } from "@/server/subjects/photo-limits";
import { setPhoto } from "@/server/subjects/set-photo";
import { subjectSchema } from "@/server/subjects/view";

export const PUT = route({
  operation: setPhoto,
  summary: "Set the photo of a subject",
  description:
    "The portrait shown on employee and student IDs. It is turned upright, cropped to 3:4 around the part that draws attention, and kept without any metadata. Up to 10 MiB and 64 million pixels, at least 90 × 90, one side at most ten times as long as the other. Fewer pixels where the decoder cannot shrink the picture as it reads: 50 million for PNG, 25 million for a progressive JPEG.",
  file: { field: "photo", types: ["image/jpeg", "image/png", "image/webp"], limit: photoLimit, partName: "file" },
  response: subjectSchema,
});

export const DELETE = route({ operation: deletePhoto, summary: "Remove the photo of a subject", response: null });
