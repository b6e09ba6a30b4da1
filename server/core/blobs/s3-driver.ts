import { openAsBlob } from "node:fs";
import { AwsClient } from "aws4fetch";
import { log } from "../log";
import type { BlobDriver } from "./driver";
import { storeUnavailable } from "./storage-failure";

export interface S3Settings {
  /** URL of the service, e.g. https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Use https://endpoint/bucket/key instead of https://bucket.endpoint/key. */
  pathStyle: boolean;
}

/** The time limit of one request to the store, including the transfer of a large file. */
const timeoutMs = 10 * 60_000;

/** Keeps blobs in an S3-compatible store. Requests are signed with Signature Version 4 over the hash of the body. */
export function s3Driver({
  endpoint,
  region,
  bucket,
  accessKeyId,
  secretAccessKey,
  pathStyle,
}: S3Settings): BlobDriver {
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region, retries: 3 });
  const base = new URL(endpoint);
  if (pathStyle) base.pathname = `${base.pathname.replace(/\/$/, "")}/${bucket}`;
  else base.hostname = `${bucket}.${base.hostname}`;
  const urlOf = (key: string) => `${base.href.replace(/\/$/, "")}/${key}`;
  const ask = async (
    method: string,
    key: string,
    init: RequestInit = {},
    accepted: number[] = [],
  ): Promise<Response> => {
    const answer = await client
      .fetch(urlOf(key), { method, signal: AbortSignal.timeout(timeoutMs), ...init })
      .catch((error: unknown) => {
        log().error({ err: error }, "the object store cannot be reached");
        throw unreachable();
      });
    if (answer.ok || accepted.includes(answer.status)) return answer;
    log().error(
      { method, status: answer.status, answer: (await answer.text()).slice(0, 1000) },
      "the object store refused",
    );
    throw unreachable();
  };
  return {
    async put(key, { path, size, sha256 }) {
      // openAsBlob streams from the disk and knows its length, which S3 requires.
      await ask("PUT", key, {
        body: await openAsBlob(path),
        headers: { "x-amz-content-sha256": sha256, "content-length": String(size) },
      });
    },
    async open(key) {
      const answer = await ask("GET", key, {}, [404]);
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      return { size: Number(answer.headers.get("content-length")), chunks: answer.body as AsyncIterable<Uint8Array> };
    },
    exists: async (key) => (await ask("HEAD", key, {}, [404])).status !== 404,
    async delete(key) {
      await ask("DELETE", key, {}, [404]);
    },
  };
}

const unreachable = () =>
  storeUnavailable("The file store does not answer as it should. Nothing was changed. Try again shortly.");
