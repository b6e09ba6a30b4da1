import { z } from "zod";
import { dateFormats, decimalMarks } from "./cell-formats";

const column = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: "The name of a column, spelled as in the first line of the file." });

/** The values that `values` can translate a cell to. */
const scalar = z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]);
const values = z
  .record(z.string().max(200), scalar)
  .refine((map) => Object.keys(map).length <= 500, "must have at most 500 entries")
  .optional()
  .meta({
    description:
      'Translates each value of the column, such as {"A": "active"}. A row with a value that is not listed is rejected; an empty cell stays empty.',
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
            "The column holds numbers with this decimal separator; the other one may group thousands. It must be named, because 1,234 is ambiguous.",
        }),
      })
      .refine(({ values: of, decimal }) => !of || !decimal, "must have values or decimal, not both"),
    z.strictObject({ from: column, transform: z.literal("lower"), values }),
    z.strictObject({
      from: column,
      transform: z.literal("date"),
      format: z.enum(
        dateFormats,
        "must name the format of the dates, because a date such as 03/04/2026 is ambiguous: one of " +
          dateFormats.join(", "),
      ),
    }),
    z.strictObject({ transform: z.literal("constant"), value: scalar }),
    z.strictObject({
      transform: z.literal("template"),
      template: z
        .string()
        .min(1)
        .max(500)
        .meta({ description: "A text with column names in braces, such as {first_name} {last_name}." }),
    }),
  ]),
]);
export type MappingSource = z.output<typeof source>;

const groupSource = z.union([
  column,
  z.strictObject({
    from: column,
    separator: z
      .string()
      .min(1)
      .max(5)
      .meta({ description: "Separates the names, if a cell names several groups, such as ; or |." }),
  }),
]);
export type GroupSource = z.output<typeof groupSource>;

/** The mapping from columns of a file to fields of a subject (contract section 11). */
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
    groups: z.array(groupSource).min(1).max(20).optional().meta({
      description:
        "Columns whose values are names of groups. A person is in the groups that their row names and leaves those that it no longer names; members whom the connector did not add stay. A group that does not exist is created. Not for type scim.",
    }),
  })
  .meta({ id: "ConnectorMapping" });
export type Mapping = z.output<typeof mapping>;
