import { z } from "zod";
import type { FileBody } from "@/server/http/rest/read-file";

/** Schema of bytes that are not JSON: OpenAPI 3.1 gives them no type, so the description says what they are. */
export const bytes = (type: string, limit?: number) => ({
  description: `The file itself, as ${type}; no JSON.${limit === undefined ? "" : ` At most ${limit} bytes.`}`,
});

/** What client generators need besides the media type; for images the media type is enough. */
function shape(type: string) {
  if (type.startsWith("image/")) return {};
  return {
    type: "string" as const,
    ...(!type.startsWith("text/") && { contentMediaType: "application/octet-stream" }),
  };
}

/**
 * Describes the request body of a file: a form with the file, or the file itself.
 * @param shape the operation's input, for the other parts of a form
 */
export function fileContent({ types, partName, limit, besideJson, fields }: FileBody, input: z.ZodRawShape = {}) {
  const form = fields
    ? z.strictObject({
        ...Object.fromEntries(Object.keys(fields).map((name) => [name, input[name]!])),
        [partName]: z
          .string()
          .meta({ override: { contentMediaType: "application/octet-stream" }, description: `At most ${limit} bytes.` }),
      })
    : {
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
    // First, because some client generators can send only the first of several types.
    "multipart/form-data": { schema: form, encoding: { [partName]: { contentType: types.join(", ") } } },
    // If the operation also accepts JSON, orval generates a client for the last type, which then cannot send JSON. So
    // the file as the body itself is left out here, although it works; the operation's description says so.
    ...(!besideJson &&
      Object.fromEntries(types.map((type) => [type, { schema: { ...bytes(type, limit), ...shape(type) } }]))),
  };
}
