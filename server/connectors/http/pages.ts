import { createHash } from "node:crypto";
import { askPage, type Asking } from "./ask";
import { parsePage } from "./parse-page";
import { PullError } from "./pull-error";
import { readPath } from "./read-path";
import type { HttpSettings } from "./settings";

export type JsonRecord = Record<string, unknown>;

const pageCount = 20_000;

/**
 * Reads the people of a JSON feed page by page. Fails on any sign that the list is incomplete: a repeated page, pages of
 * changing size, or a total that differs from the number of people.
 * @throws PullError
 */
export async function* pagesOf(start: URL, asking: Asking): AsyncGenerator<JsonRecord[]> {
  const { settings } = asking;
  const { pagination } = settings;
  let url = numbered(start, pagination, 0);
  const asked = new Set<string>();
  let before: { size: number; digest: string } | undefined;
  let usual: number | undefined;
  let sum = 0;
  let total: unknown;
  for (let page = 0; ; page++) {
    if (page >= pageCount)
      throw new PullError("too_many_pages", `The list has more than ${pageCount} pages. Request larger pages.`);
    if (asked.has(url.href))
      throw new PullError(
        "page_repeated",
        "The server links to a page that it has sent already, so the list would never end. Nobody was changed.",
      );
    asked.add(url.href);
    const answer = await askPage(url, asking).catch((error: unknown) => {
      // Some servers answer 404 after the last page, which is then shorter than the others.
      const isPastEnd = error instanceof PullError && error.code === "not_found" && pagination.type === "page";
      if (isPastEnd && before && before.size < usual!) return null;
      throw error;
    });
    if (!answer) break;
    const content = parsePage(answer);
    const records = recordsOf(content, settings);
    if (settings.total) total = readPath(content, settings.total) ?? total;
    const digest = createHash("sha256").update(answer.body).digest("base64url");
    if (pagination.type === "page") {
      if (records.length === 0) break;
      if (digest === before?.digest)
        throw new PullError(
          "page_repeated",
          `The server sends the same page for every value of ${pagination.parameter}. Check the name of the parameter.`,
        );
      usual ??= records.length;
      if (records.length > usual || (before && before.size < usual))
        throw new PullError(
          "page_size_changed",
          "The pages changed their size in the middle of the list, so people may be missing from it. Nobody was changed.",
        );
    }
    before = { size: records.length, digest };
    sum += records.length;
    yield records;
    const next = nextUrl(url, start, page, { content, link: answer.headers["link"], pagination });
    if (!next) break;
    url = next;
  }
  if (settings.total && Number(total) !== sum)
    throw new PullError(
      "incomplete",
      `The server announced ${typeof total === "number" ? `${total} people` : "no number of people"} and sent ${sum}. Nobody was changed.`,
    );
}

function recordsOf(content: unknown, { records }: HttpSettings): JsonRecord[] {
  const list = readPath(content, records);
  if (!Array.isArray(list))
    throw new PullError(
      "no_records",
      records === ""
        ? "The answer is not a list. Set records to the place of the list in the answer."
        : `The answer has no list at ${records}.`,
    );
  if (list.every((item) => typeof item === "object" && item !== null && !Array.isArray(item)))
    return list as JsonRecord[];
  throw new PullError("no_records", "An item of the list is not an object.");
}

interface Following {
  content: unknown;
  link: string | undefined;
  pagination: HttpSettings["pagination"];
}

function nextUrl(url: URL, start: URL, page: number, { content, link, pagination }: Following): URL | null {
  switch (pagination.type) {
    case "none":
      return null;
    case "page":
      return numbered(start, pagination, page + 1);
    case "link": {
      const target = linkTo(link ?? "");
      return target === null ? null : ofSameOrigin(target, url);
    }
    case "cursor": {
      const next = readPath(content, pagination.from);
      if (next === null || next === undefined || next === "" || next === false) return null;
      if (typeof next !== "string" && typeof next !== "number")
        throw new PullError("no_cursor", `The value at ${pagination.from} is neither a cursor nor an address.`);
      if (/^(https?:)?\//i.test(String(next))) return ofSameOrigin(String(next), url);
      const following = new URL(start);
      following.searchParams.set(pagination.parameter, String(next));
      return following;
    }
  }
}

function numbered(start: URL, pagination: HttpSettings["pagination"], page: number): URL {
  const url = new URL(start);
  if (pagination.type === "page") url.searchParams.set(pagination.parameter, String(pagination.first + page));
  return url;
}

/** Resolves the next page's URL; refuses another origin, because the request would send the secret there. */
function ofSameOrigin(target: string, from: URL): URL {
  const url = URL.parse(target, from.href);
  if (url?.origin === from.origin) return url;
  throw new PullError(
    "other_host",
    "The next page is on another host. It was not requested, because that host would receive the secret.",
  );
}

/** The target of rel="next" (RFC 8288). */
function linkTo(header: string): string | null {
  for (const [, target, parameters] of header.matchAll(/<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*)/g))
    if (/;\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![\w-]))/i.test(parameters!)) return target!;
  return null;
}
