import { z } from "zod";
import { errorTable, type ErrorCode } from "@/server/core/errors";
import { issueCodeNames } from "@/server/core/issue-codes";
import { exampleCode, problemExample } from "./problem-example";

const problemSchema = z
  .object({
    type: z.string().meta({ description: "A page that explains the code." }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: "What is wrong, and what to do." }),
    code: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    requestId: z.string(),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({ description: "A JSON pointer (RFC 6901) into the input." }),
          code: z.enum(issueCodeNames).meta({ description: "For programs; more may be added." }),
          message: z.string(),
        }),
      )
      .optional(),
  })
  .meta({ id: "Problem", description: "RFC 9457" });

/** Describes the refusals of an operation: one response per status, with its codes and their meaning. */
export function refusalResponses(codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\`: ${errorTable[code][2]}.`).join("\n"),
        content: {
          "application/problem+json": { schema: problemSchema, example: problemExample(exampleCode(status, some)) },
        },
      },
    ]),
  );
}
