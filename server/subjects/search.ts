import type { Ctx } from "@/server/core/context";
import { reading, type Query } from "@/server/core/db";
import type { Parameter } from "@/server/core/list-filters";
import type { Range } from "@/server/core/pagination";
import type { Order, Sorted } from "@/server/core/sorting";
import { like } from "@/server/core/words";
import { conditions, type SubjectFilter } from "./filter";
import { subjectColumns, type SubjectRow } from "./view";

/** The number of rows to scan first: words that are common occur among them, and the scan takes a few milliseconds. */
const first = 10_000;

/**
 * Finds subjects that contain each word in name, e-mail or external id, in less than 50 ms among a million. Common
 * words are found fast by scanning the first 10,000 rows of the order; rare words are found fast by the trigram index.
 * So scan first, and use the index only if the page is not full.
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

/** Counts all subjects that contain the words. */
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

/** Folds words as the column `search` is folded: without case and accents. */
async function fold(sql: Query, words: string[]): Promise<string[]> {
  if (words.every(isAscii)) return words.map((word) => word.toLowerCase());
  const rows = await sql<{ folded: string }>(
    `SELECT search_fold(word) AS folded FROM unnest($1::text[]) WITH ORDINALITY AS w (word, n) ORDER BY n`,
    [words],
  );
  return rows.map((row) => row.folded).filter((word) => word !== "");
}

/**
 * SQL predicate for one word. The trigram index serves LIKE from three characters on. With fewer, LIKE could make
 * PostgreSQL read the whole index; strpos prevents that.
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
    `SELECT ${subjectColumns}, search FROM subjects WHERE ${[where, predicate, ...others.map((other) => holds(other, parameter))].join(" AND ")} ${within()}`;
  // OFFSET 0 prevents PostgreSQL from scanning all subjects in the order of the list to find these few.
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
    `SELECT ${subjectColumns}${order.select} FROM (${ways.join(" UNION ALL ")}) AS found ORDER BY ${order.byStored} LIMIT ${parameter(take)} OFFSET ${parameter(skip)}`,
    values,
    false,
  );
}

/** Rows with letters that folding does not turn into ASCII. They have their own index. */
const beyondAscii = "octet_length(search) <> char_length(search)";
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

const hasTrigrams = (text: string) => [...text].length > 2;

/** Whether a word is two letters or digits. With any ASCII character after it, such a word has a trigram. */
const isPair = (text: string) => /^[a-z0-9]{2}$/.test(text);

/**
 * The characters that can follow a letter in folded ASCII text: all that a line may contain (core/input.ts), and the
 * separator between the fields. The end of the text is handled separately.
 */
const followers = [
  ...Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter((c) => !/[A-Z]/.test(c)),
  "\n",
];

function continued(pair: string): string[] {
  return [...followers.map((next) => like(pair + next)), `%${pair}`];
}
