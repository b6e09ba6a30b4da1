import { z } from "zod";

const maxBytes = 64 * 1024;
const maxDepth = 8;

/** Free-form key/value data: any JSON object up to 64 KiB and 8 levels deep (contract section 1). */
export const attributes = z.record(z.string(), z.unknown()).superRefine((value, issue) => {
  if (depthOf(value) > maxDepth) issue.addIssue({ code: "custom", message: `must not be more than ${maxDepth} levels deep` });
  else if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) issue.addIssue({ code: "custom", message: "must not be over 64 KiB as JSON" });
});

function depthOf(value: unknown, above = 0): number {
  if (typeof value !== "object" || value === null || above > maxDepth) return above;
  return Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, above + 1)), above + 1);
}
