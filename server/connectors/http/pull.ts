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
import { FirstError } from "./first-error";

export interface Pulling extends Asking {
  /** The columns that the mapping reads; paths if the feed is JSON. */
  columns: string[];
  /** In a full list, at least one person must have a value under each path; a path without values is an error. */
  mode: "full" | "delta";
  /** Request only changes since this time; null for everything. */
  since: Date | null;
}

/**
 * Fetches the source of a connector as a file of at most 512 MiB. JSON is converted to CSV with the columns of the mapping,
 * so that staging has to read only one format.
 * @throws PullError, or the signal's reason
 */
export async function pull(pulling: Pulling): Promise<Upload> {
  const url = new URL(pulling.settings.url);
  const { since } = pulling.settings;
  const failure = new FirstError();
  if (since && pulling.since) url.searchParams.set(since.parameter, pulling.since.toISOString());
  try {
    return await (pulling.settings.format === "csv"
      ? pullFile(url, pulling)
      : receiveUpload(failure.of(rows(url, pulling)), fileLimit));
  } catch (error) {
    if (error instanceof DomainError && error.code === "payload_too_large")
      throw new PullError("too_large", `The list has more than ${fileLimit / 1024 / 1024} MiB.`);
    throw failure.reason ?? error;
  }
}

async function pullFile(url: URL, pulling: Pulling): Promise<Upload> {
  const text = new PassThrough();
  // Ignored here: receiveUpload reads this stream and reports the error.
  text.on("error", () => undefined);
  let beginning = "";
  const asked = askFile(url, pulling, async (chunk, headers) => {
    if (beginning === "") {
      beginning = Buffer.from(chunk.subarray(0, 200)).toString("latin1");
      if (isHtml(headers, beginning))
        throw new PullError(
          "not_csv",
          "The server answered with a web page instead of CSV. The address may be that of a web page or of a sign-in form.",
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
  // In a list of changes, a field can be absent for all people. In a full list, it means that the source has lost the
  // field.
  if (any && unseen.size > 0 && pulling.mode === "full")
    throw new PullError(
      "missing_column",
      `Nobody in the answer has a value for ${[...unseen].map((path) => JSON.stringify(path)).join(", ")}, which the mapping reads. Nobody was changed.`,
    );
}

const rowOf = (record: JsonRecord, columns: string[]) => csvLine(columns.map((path) => cellOf(readPath(record, path))));
