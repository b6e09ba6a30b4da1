import type { Ctx } from "@/server/core/context";
import { reading, type Query } from "@/server/core/db";
import type { Range } from "@/server/core/pagination";
import { conditions, type SubjectFilter } from "./filter";
import { subjectColumns, type SubjectRow } from "./view";

/** What is common stands among the newest; to look through these costs some milliseconds. */
const newest = 20_000;

/**
 * Subjects that hold a text in name, e-mail or external id, newest first, in less than 50 ms of a million. An index finds the
 * rare, but all of it before the newest are known; a look through the newest finds the common, but the rare never. So first
 * the one, then, where that did not fill the page, the other.
 */
export async function searchSubjects(ctx: Ctx, text: string, filter: SubjectFilter, range: Range): Promise<SubjectRow[]> {
  const { sql } = reading(ctx);
  const folded = await fold(sql, text);
  const found = await amongNewest(sql, ctx, folded, filter, range);
  return found.length === range.take ? found : byIndex(sql, ctx, folded, filter, range);
}

export async function countFound(ctx: Ctx, text: string, filter: SubjectFilter): Promise<number> {
  const { sql } = reading(ctx);
  const folded = await fold(sql, text);
  const { where, parameter, values } = conditions(ctx, filter);
  const [row] = await sql<{ n: number }>(`SELECT count(*) AS n FROM subjects WHERE ${where} AND ${holds(folded, parameter).join(" AND ")}`, values, false);
  return row!.n;
}

/** As the column `search` is folded: without case and accents. */
async function fold(sql: Query, text: string): Promise<string> {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase();
  const [row] = await sql<{ folded: string }>(`SELECT search_fold($1) AS folded`, [text]);
  return row!.folded;
}

function amongNewest(sql: Query, ctx: Ctx, folded: string, filter: SubjectFilter, { after, take, skip }: Range): Promise<SubjectRow[]> {
  const { where, parameter, values } = conditions(ctx, filter, after);
  return sql<SubjectRow>(
    `SELECT ${subjectColumns} FROM (SELECT ${subjectColumns}, search FROM subjects WHERE ${where} ORDER BY id DESC LIMIT ${newest}) AS newest
     WHERE search LIKE ${parameter(like(folded))} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
    values,
  );
}

function byIndex(sql: Query, ctx: Ctx, folded: string, filter: SubjectFilter, { after, take, skip }: Range): Promise<SubjectRow[]> {
  const { where, parameter, values } = conditions(ctx, filter, after);
  const found = `SELECT ${subjectColumns} FROM subjects WHERE ${where} AND ${holds(folded, parameter).join(" AND ")}`;
  // OFFSET 0 keeps PostgreSQL from looking for the few in the order of ids, through all there are.
  const set = hasTrigrams(folded) ? `SELECT * FROM (${found} OFFSET 0) AS found` : found;
  return sql<SubjectRow>(`${set} ORDER BY id DESC LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`, values, false);
}

const isBeyondAscii = (text: string) => /[^\0-\x7f]/.test(text);
const isPair = (text: string) => /^[a-z0-9]{2}$/.test(text);
const hasTrigrams = (text: string) => isPair(text) || [...text].length > 2;

/** All that may stand behind a letter in folded text of ASCII: what lines hold (core/input.ts), and the end of a line. */
const followers = [...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) => !/[A-Z]/.test(c)), "\n"];

/**
 * The predicate that a row holds the text, and what follows from it that an index knows. Trigrams are of three characters:
 * a pair has some with whatever follows it. With letters beyond ASCII that would be too much, so rows that have them are
 * apart in an index of their own.
 */
function holds(folded: string, parameter: (value: unknown) => string): string[] {
  const itself = `search LIKE ${parameter(like(folded))}`;
  const beyondAscii = "octet_length(search) <> char_length(search)";
  if (isPair(folded)) {
    const continued = [...followers.map((next) => like(folded + next)), `%${folded}`];
    return [itself, `(search LIKE ANY (${parameter(continued)}::text[]) OR ${beyondAscii})`];
  }
  return isBeyondAscii(folded) && !hasTrigrams(folded) ? [itself, beyondAscii] : [itself];
}

function like(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}
