import { z } from "zod";
import type { TxCtx } from "@/server/core/context";
import { DomainError } from "@/server/core/errors";
import { issueCodeNames } from "@/server/core/issue-codes";
import { parseInput } from "@/server/core/input";
import { asRow } from "@/server/core/refused-row";
import { command } from "@/server/core/operation";
import { upsertInput, type UpsertInput } from "./input";
import { subjectSchema, subjectView } from "./view";
import { writeAccepted } from "./write-accepted";

const rowSchema = z
  .object({
    index: z.int().meta({ description: "The row's place in items, from 0." }),
    ok: z.boolean(),
    outcome: z.enum(["created", "updated", "unchanged"]).optional(),
    subject: subjectSchema.optional(),
    error: z
      .object({
        code: z.string(),
        title: z.string(),
        status: z.int(),
        detail: z.string(),
        errors: z
          .array(z.object({ pointer: z.string(), code: z.enum(issueCodeNames), message: z.string() }))
          .optional(),
      })
      .optional(),
  })
  .meta({ id: "SubjectBulkRow" });
type Row = z.output<typeof rowSchema>;

export const subjectBulkResultSchema = z
  .object({ data: z.array(rowSchema), succeeded: z.int(), failed: z.int() })
  .meta({ id: "SubjectBulkResult" });

/**
 * Creates or updates up to 1,000 subjects as upsertSubject would one by one, in one statement. Rows that repeat an
 * externalId of an earlier row follow in further statements, in their order. Emits the same events.
 */
export const bulkUpsertSubjects = command({
  name: "subjects.bulk",
  scope: "subjects:write",
  input: z.strictObject({
    items: z.array(z.unknown()).min(1).max(1000).meta({ description: "Each as the body of PUT /v1/subjects." }),
  }),
  async run(ctx, input) {
    const data: Row[] = [];
    const valid: { index: number; item: UpsertInput }[] = [];
    for (const [index, item] of input.items.entries()) {
      const row = checked(index, item);
      if ("error" in row) data.push(row);
      else valid.push(row);
    }
    for (const wave of waves(valid)) data.push(...(await write(ctx, wave)));
    data.sort((a, b) => a.index - b.index);
    const succeeded = data.filter((row) => row.ok).length;
    return { data, succeeded, failed: data.length - succeeded };
  },
});

type Valid = { index: number; item: UpsertInput };

function checked(index: number, item: unknown): Valid | (Row & { error: object }) {
  try {
    return { index, item: parseInput(upsertInput, asRow(item)) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return refused(index, error);
  }
}

function refused(index: number, { code, title, status, message, extras }: DomainError): Row & { error: object } {
  return { index, ok: false, error: { code, title, status, detail: message, errors: extras.errors } };
}

/** Splits rows into sets in which each externalId occurs once: all first occurrences, all second ones, and so on. */
function waves(rows: Valid[]): Valid[][] {
  const seen = new Map<string, number>();
  const found: Valid[][] = [];
  for (const row of rows) {
    const before = seen.get(row.item.externalId) ?? 0;
    seen.set(row.item.externalId, before + 1);
    (found[before] ??= []).push(row);
  }
  return found;
}

async function write(ctx: TxCtx, rows: Valid[]): Promise<Row[]> {
  const written = await writeAccepted(
    ctx,
    rows.map((row) => row.item),
  );
  return rows.map(({ index, item }): Row => {
    const result = written.get(item.externalId)!;
    return "error" in result
      ? refused(index, result.error)
      : { index, ok: true, outcome: result.outcome, subject: subjectView(result.row) };
  });
}
