import type { OutboundResult } from "@/server/outbound/request";
import { PullError } from "./pull-error";

/** Parses a page of JSON. @throws PullError */
export function parsePage({ body, headers }: Pick<OutboundResult, "body" | "headers">): unknown {
  const text = textOf(body);
  if (isHtml(headers, text))
    throw new PullError(
      "not_json",
      "The server answered with a web page instead of JSON. The address may be that of a web page or of a sign-in form.",
    );
  try {
    return parseExactly(text);
  } catch {
    throw new PullError("not_json", "The answer is not valid JSON, or was cut off. Nobody was changed.");
  }
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new PullError("not_json", "The answer is not JSON in UTF-8.");
  }
}

/** Whether an answer is a web page, judging by its content type or its first characters. */
export const isHtml = (headers: Record<string, string>, beginning: string): boolean =>
  /^\s*text\/html/i.test(headers["content-type"] ?? "") || /^\s*<(?:!doctype|html)/i.test(beginning);

type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/** Parses JSON, but keeps numbers that a double would round, such as long ids, as strings. */
export function parseExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const exact: Reviver = (_, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source && /\d{16}/.test(source)
      ? source
      : value;
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}
