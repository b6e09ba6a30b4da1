import type { Ctx } from "@/server/core/context";
import { reading, type Query } from "@/server/core/db";
import type { Parameter } from "@/server/core/list-filters";
import type { Range } from "@/server/core/pagination";
import type { Order, Sorted } from "@/server/core/sorting";
import { like } from "@/server/core/words";
import { conditions, type SubjectFilter } from "./filter";
import { subjectColumns, type SubjectRow } from "./view";

/** What is common stands among the first; to look through these costs a few milliseconds. */
const first = 10_000;

/**
 * Subjects that hold each word in name, e-mail or external id, in less than 50 ms of a million. Common words are found
 * fast by a look through the first 10,000 rows of the order; rare ones by the trigram index. So first the one, then,
 * where that did not fill the page, the other.
 */
export async function searchSubjects(
  ctx: Ctx,
  words: string[],
  filter: SubjectFilter,
  order: Order,
  range: Range,
): Promise<(SubjectRow & Sorted)[]> {
  const { sql } = reading(ctx);
  const folded = await fold(sql, words);
  const found = await amongFirst(sql, ctx, folded, filter, order, range);
  return found.length === range.take ? found : byIndex(sql, ctx, folded, filter, order, range);
}

/** How many there are in all. */
export async function countFound(ctx: Ctx, words: string[], filter: SubjectFilter): Promise<number> {
  const { sql } = reading(ctx);
  const { where, within, parameter, values } = conditions(ctx, filter);
  const folded = await fold(sql, words);
  const [row] = await sql<{ n: number }>(
    `SELECT count(*) AS n FROM subjects WHERE ${[where, ...folded.map((word) => holds(word, parameter))].join(" AND ")} ${within()}`,
    values,
    false,
  );
  return row!.n;
}

/** As the column `search` is folded: without case and accents. */
async function fold(sql: Query, words: string[]): Promise<string[]> {
  if (words.every(isAscii)) return words.map((word) => word.toLowerCase());
  const rows = await sql<{ folded: string }>(
    `SELECT search_fold(word) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n) ORDER BY n`,
    [words],
  );
  return rows.map((row) => row.folded).filter((word) => word !== "");
}

/**
 * The trigram index serves LIKE from three characters on. For fewer it would be read whole, which strpos keeps
 * PostgreSQL from.
 */
function holds(word: string, parameter: Parameter): string {
  return hasTrigrams(word) ? `search LIKE ${parameter(like(word))}` : `strpos(search, ${parameter(word)}) > 0`;
}

function amongFirst(
  sql: Query,
  ctx: Ctx,
  words: string[],
  filter: SubjectFilter,
  order: Order,
  { after, take, skip }: Range,
): Promise<(SubjectRow & Sorted)[]> {
  const { where, from, parameter, values } = conditions(ctx, filter, { order, after });
  return sql(
    `SELECT ${subjectColumns}${order.select} FROM (SELECT ${subjectColumns}, search FROM ${from()} WHERE ${where} ORDER BY ${order.by} LIMIT ${first}) AS first
     WHERE ${["TRUE", ...words.map((word) => `search LIKE ${parameter(like(word))}`)].join(" AND ")} ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
    values,
  );
}

function byIndex(
  sql: Query,
  ctx: Ctx,
  [word = "", ...others]: string[],
  filter: SubjectFilter,
  order: Order,
  { after, take, skip }: Range,
): Promise<(SubjectRow & Sorted)[]> {
  const { where, within, parameter, values } = conditions(ctx, filter, { order, after });
  const rows = (predicate: string) =>
    `SELECT ${subjectColumns} FROM subjects WHERE ${[where, predicate, ...others.map((other) => holds(other, parameter))].join(" AND ")} ${within()}`;
  // OFFSET 0 keeps PostgreSQL from looking for these few in the order of the list, through all there are.
  const byTrigrams = (predicate: string) => `(${rows(predicate)} OFFSET 0)`;
  const inOrder = (predicate: string) => `(${rows(predicate)} ORDER BY ${order.by} LIMIT ${parameter(take + skip)})`;
  const itself = () => `strpos(search, ${parameter(word)}) > 0`;
  const ways = isPair(word)
    ? [
        byTrigrams(`${itself()} AND search LIKE ANY (${parameter(continued(word))}::text[]) AND NOT ${beyondAscii}`),
        inOrder(`${itself()} AND ${beyondAscii}`),
      ]
    : hasTrigrams(word)
      ? [byTrigrams(`search LIKE ${parameter(like(word))}`)]
      : [inOrder(isAscii(word) ? itself() : `${itself()} AND ${beyondAscii}`)];
  return sql(
    `SELECT ${subjectColumns}${order.select} FROM (${ways.join(" UNION ALL ")}) AS found ORDER BY ${order.by} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
    values,
    false,
  );
}

/** Rows with letters that folding does not bring into ASCII: they have an index of their own. */
const beyondAscii = "octet_length(search) <> char_length(search)";
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

const hasTrigrams = (text: string) => [...text].length > 2;

/** Two letters or digits have trigrams with whatever stands behind them, if that is ASCII too. */
const isPair = (text: string) => /^[a-z0-9]{2}$/.test(text);

/**
 * What may stand behind a letter in folded ASCII, but for the end: all that a line holds (core/input.ts), and what is
 * between the fields.
 */
const followers = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) => !/[A-Z]/.test(c)),
  "\n",
];

function continued(pair: string): string[] {
  return [...followers.map((next) => like(pair + next)), `%${pair}`];
}
