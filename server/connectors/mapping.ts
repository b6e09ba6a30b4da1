import { z } from "zod";
import { dateFormats, decimalMarks } from "./cell-formats";

const column = z.string().min(1).max(200).meta({ description: "The name of a column, as the first line has it." });

/** What a cell can become through `values`. */
const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);
const values = z
  .record(z.string().max(200), scalar)
  .refine((map) => Object.keys(map).length <= 500, "must have at most 500 entries")
  .optional()
  .meta({
    description:
      'What each value of the column stands for, such as {"A": "active"}. A value that is not listed rejects its row; an empty cell stays empty.',
  });

const source = z.union([
  column,
  z.discriminatedUnion("transform", [
    z
      .strictObject({
        from: column,
        transform: z.literal("trim"),
        values,
        decimal: z.enum(decimalMarks).optional().meta({
          description:
            "The column holds numbers, with this mark before the decimals. The other one may group thousands: 1,234 is two numbers, so none is guessed.",
        }),
      })
      .refine(({ values: of, decimal }) => !of || !decimal, "must have values or decimal, not both"),
    z.strictObject({ from: column, transform: z.literal("lower"), values }),
    z.strictObject({
      from: column,
      transform: z.literal("date"),
      format: z.enum(
        dateFormats,
        "must name the format of the dates, since 03/04/2026 is two days: one of " + dateFormats.join(", "),
      ),
    }),
    z.strictObject({ transform: z.literal("constant"), value: scalar }),
    z.strictObject({
      transform: z.literal("template"),
      template: z
        .string()
        .min(1)
        .max(500)
        .meta({ description: "Text with columns in braces: {first_name} {last_name}." }),
    }),
  ]),
]);
export type MappingSource = z.output<typeof source>;

/** Which column gives which field of a subject (contract section 11). */
export const mapping = z
  .strictObject({
    externalId: source,
    displayName: source.optional(),
    email: source.optional(),
    status: source.optional(),
    attributes: z
      .record(z.string().min(1).max(200), source)
      .refine((each) => Object.keys(each).length <= 200, "must have at most 200 entries")
      .optional(),
  })
  .meta({ id: "ConnectorMapping" });
export type Mapping = z.output<typeof mapping>;
