import { PassThrough } from "node:stream";
import { once } from "node:events";
import { receiveUpload, type Upload } from "@/server/core/blobs/upload";
import { DomainError } from "@/server/core/errors";
import { cellOf } from "../file/cell-text";
import { csvLine } from "../file/table";
import { fileLimit } from "../file-limit";
import { askFile, type Asking } from "./ask";
import { pagesOf, type JsonRecord } from "./pages";
import { isHtml } from "./parse-page";
import { PullError } from "./pull-error";
import { readPath } from "./read-path";
import { Told } from "./told";

export interface Pulling extends Asking {
  /** The columns of the mapping: paths, where the feed is JSON. */
  columns: string[];
  /** Whoever lists everybody has something under each of them. */
  mode: "full" | "delta";
  /** From when on changes are asked for; null for all. */
  since: Date | null;
}

/**
 * Fetches what a connector reads, as a CSV file of at most 512 MiB. JSON becomes CSV with the columns of the mapping, so
 * that staging reads one format.
 * @throws PullError, or the signal's reason
 */
export async function pull(pulling: Pulling): Promise<Upload> {
  const url = new URL(pulling.settings.url);
  const { since } = pulling.settings;
  const told = new Told();
  if (since && pulling.since) url.searchParams.set(since.parameter, pulling.since.toISOString());
  try {
    return await (pulling.settings.format === "csv"
      ? pullFile(url, pulling)
      : receiveUpload(told.of(rows(url, pulling)), fileLimit));
  } catch (error) {
    if (error instanceof DomainError && error.code === "payload_too_large")
      throw new PullError("too_large", `The list has more than ${fileLimit / 1024 / 1024} MiB.`);
    throw told.reason ?? error;
  }
}

async function pullFile(url: URL, pulling: Pulling): Promise<Upload> {
  const text = new PassThrough();
  // Read by receiveUpload, which may fail first: its error is the one to tell.
  text.on("error", () => undefined);
  let beginning = "";
  const asked = askFile(url, pulling, async (chunk, headers) => {
    if (beginning === "") {
      beginning = Buffer.from(chunk.subarray(0, 200)).toString("latin1");
      if (isHtml(headers, beginning))
        throw new PullError(
          "not_csv",
          "The server answered with a web page instead of CSV. The address may lead to a page for people, or to a sign-in.",
        );
    }
    if (text.destroyed) throw new PullError("too_large", `The file has more than ${fileLimit / 1024 / 1024} MiB.`);
    if (!text.write(chunk)) await Promise.race([once(text, "drain"), once(text, "close")]);
  }).then(
    () => void text.end(),
    (error: unknown) => {
      text.destroy(error as Error);
      throw error;
    },
  );
  const [answer, received] = await Promise.allSettled([asked, receiveUpload(text, fileLimit)]);
  if (answer.status === "rejected") {
    if (received.status === "fulfilled") await received.value.discard();
    throw received.status === "rejected" && isTooLarge(received.reason) ? received.reason : answer.reason;
  }
  if (received.status === "rejected") throw received.reason;
  return received.value;
}

const isTooLarge = (error: unknown) => error instanceof DomainError && error.code === "payload_too_large";

async function* rows(url: URL, pulling: Pulling): AsyncGenerator<Buffer> {
  const { columns } = pulling;
  yield Buffer.from(csvLine(columns));
  const unseen = new Set(columns);
  let any = false;
  for await (const records of pagesOf(url, pulling)) {
    any ||= records.length > 0;
    for (const path of unseen) if (records.some((record) => readPath(record, path) !== undefined)) unseen.delete(path);
    if (records.length > 0) yield Buffer.from(records.map((record) => rowOf(record, columns)).join(""));
  }
  // A list of changes may be without a field that nobody has; a list of everybody has lost it.
  if (any && unseen.size > 0 && pulling.mode === "full")
    throw new PullError(
      "missing_column",
      `Nobody in the answer has ${[...unseen].map((path) => JSON.stringify(path)).join(", ")}, which the mapping reads. Nobody was changed.`,
    );
}

const rowOf = (record: JsonRecord, columns: string[]) => csvLine(columns.map((path) => cellOf(readPath(record, path))));
