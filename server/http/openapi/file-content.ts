import type { FileBody } from "@/server/http/rest/read-file";

/** Bytes that are no JSON: OpenAPI 3.1 gives them no type, so words say what they are. */
export const bytes = (type: string, limit?: number) => ({
  description: `The file itself, as ${type}; no JSON.${limit === undefined ? "" : ` At most ${limit} bytes.`}`,
});

/** What generators of clients need beside the media type; they know images by it. */
function shape(type: string) {
  if (type.startsWith("image/")) return {};
  return {
    type: "string" as const,
    ...(!type.startsWith("text/") && { contentMediaType: "application/octet-stream" }),
  };
}

/** The request body of a file: a form with it, or the file itself. */
export function fileContent({ types, partName, limit, besideJson }: FileBody) {
  const form = {
    type: "object" as const,
    required: [partName],
    additionalProperties: false,
    properties: {
      [partName]: {
        type: "string" as const,
        contentMediaType: "application/octet-stream",
        description: `At most ${limit} bytes.`,
      },
    },
  };
  return {
    // First: some generators of clients know how to send the first of several types alone.
    "multipart/form-data": { schema: form, encoding: { [partName]: { contentType: types.join(", ") } } },
    // Beside JSON, orval makes a client of the last type, which then takes no JSON. The file itself as a body works all
    // the same; the description says so.
    ...(!besideJson &&
      Object.fromEntries(types.map((type) => [type, { schema: { ...bytes(type, limit), ...shape(type) } }]))),
  };
}
