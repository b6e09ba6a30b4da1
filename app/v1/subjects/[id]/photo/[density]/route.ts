import { route } from "@/server/http/rest/route";
import { getPhoto } from "@/server/subjects/get-photo";

export const GET = route({
  operation: getPhoto,
  summary: "Get the photo of a subject",
  description: "As WebP where Accept names it, else as JPEG. With an ETag: If-None-Match is answered with 304.",
  response: null,
  download: { types: ["image/webp", "image/jpeg"], description: "The photo at this density." },
  fromHeaders: (headers) => ({ accept: headers.get("accept") ?? undefined }),
});
