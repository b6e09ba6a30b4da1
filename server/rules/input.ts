import { z } from "zod";
import { fields, maxDepth, maxLeaves, ops, type Rule } from "./rule";
import { parseRule } from "./parse";

const refToRule = { $ref: "#/components/schemas/Rule" };

/** The rule language as JSON Schema. What each comparison takes is said in words; `parseRule` decides. */
const described = {
  description: `Which people are meant: one comparison, or all, any or not of further rules; at most ${maxDepth} levels deep and ${maxLeaves} comparisons. See the guide to rules.`,
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

/** A rule as an operation takes it. Refused with a JSON pointer to each thing that is wrong. */
export const ruleInput = z
  .unknown()
  .transform((given, context): Rule => {
    const parsed = parseRule(given);
    if ("rule" in parsed) return parsed.rule;
    for (const { path, message } of parsed.issues)
      context.issues.push({ code: "custom", input: given, path: [...path], message });
    return z.NEVER;
  })
  .meta({ override: refToRule });

/** A rule as it is answered: as it was saved. Typed as JSON, since compilers give up on answers that hold themselves. */
export const ruleSchema = (z.unknown() as z.ZodType<Record<string, unknown>>).meta({ id: "Rule", override: described });
