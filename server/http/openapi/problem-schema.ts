import { z } from "zod";
import { errorTable, type ErrorCode } from "@/server/core/errors";

const problemSchema = z
  .object({
    type: z.string().meta({ description: "A page that explains the code." }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "What is wrong, and what to do." }),
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z
      .array(z.object({ pointer: z.string().meta({ description: "A JSON pointer (RFC 6901) into the input." }), code: z.string(), message: z.string() }))
      .optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457" });

const content = { "application/problem+json": { schema: problemSchema } };

/** What any authenticated endpoint can answer besides its success. */
export const errorResponses = {
  "400": { description: "The request is malformed or not valid.", content },
  "401": { description: "No token, or one that is not valid.", content },
  "403": { description: "The token lacks the scope.", content },
  "404": { description: "No such resource in this organisation.", content },
  "409": { description: "The request conflicts with the present state.", content },
  "422": { description: "The Idempotency-Key was used for another request.", content },
  "429": { description: "Too many requests; see Retry-After.", content },
} as const;

/** Where a change can be made on the condition of an ETag. */
export const preconditionFailed = { description: "It was changed since the ETag in If-Match.", content } as const;

/** What an endpoint without authentication can answer besides its success. */
export const publicErrorResponses = {
  "400": errorResponses["400"],
  "404": { description: "No such thing.", content },
  "429": errorResponses["429"],
} as const;
