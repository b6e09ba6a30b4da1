import { z } from "zod";
import { fields, maxDepth, maxLeaves, ops, type Rule } from "./rule";
import { parseRule } from "./parse";

const refToRule = { $ref: "#/components/schemas/Rule" };

/** The rule language as JSON Schema. Descriptions say what each comparison accepts; `parseRule` decides. */
const described = {
  description: `Which people match: one comparison, or all, any or not of further rules; at most ${maxDepth} levels deep and ${maxLeaves} comparisons. See the guide to rules.`,
  oneOf: [
    {
      type: "object",
      title: "All of these",
      required: ["all"],
      properties: { all: { type: "array", minItems: 1, items: refToRule } },
      additionalProperties: false,
    },
    {
      type: "object",
      title: "Any of these",
      required: ["any"],
      properties: { any: { type: "array", minItems: 1, items: refToRule } },
      additionalProperties: false,
    },
    {
      type: "object",
      title: "None of this",
      required: ["not"],
      properties: { not: refToRule },
      additionalProperties: false,
    },
    {
      type: "object",
      title: "Comparison",
      required: ["field", "op"],
      properties: {
        field: { type: "string", description: `${Object.keys(fields).join(", ")}, or attributes. and a path.` },
        op: { type: "string", enum: [...ops] },
        value: {
          description:
            "What to compare with: a list for in and notIn, a time or now-30d for before and after, true or false for exists.",
        },
      },
      additionalProperties: false,
    },
  ],
};

/** Operation input for a rule. Refuses an invalid rule with a JSON pointer to each mistake. */
export const ruleInput = z
  .unknown()
  .transform((given, context): Rule => {
    const parsed = parseRule(given);
    if ("rule" in parsed) return parsed.rule;
    if (given === undefined) {
      context.issues.push({ code: "invalid_type", expected: "object", input: given, path: [], message: "is required" });
      return z.NEVER;
    }
    for (const { path, message } of parsed.issues)
      context.issues.push({ code: "custom", input: given, path: [...path], message });
    return z.NEVER;
  })
  .meta({ override: refToRule });

/** A rule in a response, as it was saved. Typed as JSON, because compilers give up on recursive response types. */
export const ruleSchema = (z.unknown() as z.ZodType<Record<string, unknown>>).meta({ id: "Rule", override: described });
