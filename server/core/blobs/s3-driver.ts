import { openAsBlob } from "node:fs";
import { log } from "../log";
import type { BlobDriver } from "./driver";
import { S3Client, storeUnanswered, type Refusal, type S3Settings } from "./s3-client";

interface Limits {
  /** The time limit of storing a file, in milliseconds. */
  transferMs: number;
  /**
   * The time limit of other requests, and until the first byte of a file. Blobs are deleted in a transaction, which
   * PostgreSQL ends after a minute without a statement: a deletion must not outlast the lock of its row.
   */
  answerMs: number;
}

/** Keeps blobs in an S3-compatible store. */
export function s3Driver(
  settings: S3Settings,
  { transferMs, answerMs }: Limits = { transferMs: 10 * 60_000, answerMs: 20_000 },
): BlobDriver {
  const s3 = new S3Client(settings);
  return {
    async put(key, { path, size, sha256 }) {
      // openAsBlob streams from the disk and knows its length, which S3 requires. S3 compares the hash with what arrives.
      const headers = { "x-amz-content-sha256": sha256, "content-length": String(size) };
      await s3.ask({ method: "PUT", key, body: await openAsBlob(path), headers, withinMs: transferMs });
    },
    async open(key) {
      const answer = await s3.ask({ method: "GET", key, withinMs: answerMs, isMissing: isNoSuchKey });
      return answer && { size: Number(answer.headers.get("content-length")), chunks: bytesOf(answer.body!) };
    },
    async exists(key) {
      return (await s3.ask({ method: "HEAD", key, withinMs: answerMs, isMissing: isUnknown })) !== null;
    },
    async delete(key) {
      await s3.ask({ method: "DELETE", key, withinMs: answerMs, isMissing: isNoSuchKey });
    },
  };
}

/** A 404 can also mean that there is no such bucket, which says nothing about the blob. */
const isNoSuchKey = ({ status, code }: Refusal) => status === 404 && (code === null || code === "NoSuchKey");

/**
 * The answer to HEAD has no body, and so no code. S3 answers 403 instead of 404 to a key without the right to list the
 * bucket. If something else is wrong, storing the file says so.
 */
const isUnknown = ({ status }: Refusal) => status === 404 || status === 403;

/**
 * Reads the body of an answer. If it breaks off, the store is unavailable; without this, the reader would blame whoever
 * sent the file. Ending the iteration before its first step ends the request, too.
 */
function bytesOf(body: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = body[Symbol.asyncIterator]();
      return {
        next: () =>
          iterator.next().catch((error: unknown) => {
            log().error({ err: error }, "an answer of the object store broke off");
            throw storeUnanswered();
          }),
        return: () => iterator.return!(),
      };
    },
  };
}
