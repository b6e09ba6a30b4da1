import { setTimeout as pause } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { log } from "../log";
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

/** How often a request is sent at most. All requests are idempotent, because the content of a key never changes. */
const maxAttempts = 4;

/** The longest pause after the first attempt, in milliseconds. It doubles with each attempt. */
const pauseMs = 200;

/** Refusals that S3 asks to repeat although their status is below 500. */
const passingCodes = new Set(["RequestTimeout", "OperationAborted"]);

interface Asked {
  method: "GET" | "HEAD" | "PUT" | "DELETE";
  key: string;
  body?: Blob;
  headers?: Record<string, string>;
  /** The time until the answer begins, all attempts together, in milliseconds. */
  withinMs: number;
  /** Whether a refusal says that there is no such blob. */
  isMissing?(refusal: Refusal): boolean;
}

/** An answer other than 2xx. */
export interface Refusal {
  status: number;
  /** The code of S3, such as NoSuchKey; null if there is none, as in the answer to HEAD. */
  code: string | null;
  text: string;
  /** The region of the bucket, if the store names one. */
  region: string | null;
}

/** Signs requests with Signature Version 4 over the hash of the body, and repeats those that failed for the moment. */
export class S3Client {
  readonly #aws: AwsClient;
  readonly #base: string;

  constructor({ endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle }: S3Settings) {
    this.#aws = new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region, retries: 0 });
    const base = new URL(endpoint);
    if (pathStyle) base.pathname = `${base.pathname.replace(/\/$/, "")}/${bucket}`;
    else base.hostname = `${bucket}.${base.hostname}`;
    this.#base = base.href.replace(/\/$/, "");
  }

  /**
   * Sends a request.
   * @returns null if there is no such blob
   * @throws DomainError unavailable if the store cannot be reached or refuses; the log says why
   */
  async ask({ method, key, body, headers, withinMs, isMissing }: Asked): Promise<Response | null> {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`no answer within ${withinMs} ms`)), withinMs);
    // A redirect is refused, not followed: the signature is for this host and region only.
    const init = {
      method,
      redirect: "manual",
      signal: limit.signal,
      ...(body && { body }),
      ...(headers && { headers }),
    };
    try {
      for (let attempt = 1; ; attempt++) {
        const result = await this.#send(`${this.#base}/${key}`, init as RequestInit);
        if (result instanceof Response) return result;
        if (isRefusal(result) && isMissing?.(result)) return null;
        if (attempt === maxAttempts || limit.signal.aborted || !isPassing(result)) throw refused(method, result);
        await pause(Math.random() * pauseMs * 2 ** (attempt - 1), undefined, { signal: limit.signal }).catch(
          () => undefined,
        );
      }
    } finally {
      // The body of an answer may take longer; it ends if the store sends nothing for five minutes (undici's bodyTimeout).
      clearTimeout(timer);
    }
  }

  async #send(url: string, init: RequestInit): Promise<Response | Refusal | { error: unknown }> {
    try {
      const answer = await this.#aws.fetch(url, init);
      if (answer.ok) return answer;
      const text = await answer.text();
      const code = /<Code>\s*(\w+)\s*<\/Code>/.exec(text)?.[1] ?? null;
      return { status: answer.status, code, text, region: answer.headers.get("x-amz-bucket-region") };
    } catch (error) {
      return { error };
    }
  }
}

const isRefusal = (result: Refusal | { error: unknown }): result is Refusal => "status" in result;

/** Whether the same request may succeed a moment later. A connection that the store closed is such a case. */
const isPassing = (result: Refusal | { error: unknown }): boolean =>
  !isRefusal(result) ||
  result.status === 429 ||
  (result.status >= 500 && result.status !== 501) ||
  (result.code !== null && passingCodes.has(result.code));

function refused(method: string, result: Refusal | { error: unknown }): Error {
  if (isRefusal(result)) {
    const { status, code, region, text } = result;
    log().error({ method, status, code, region, answer: text.slice(0, 1000) }, "the object store refused");
  } else log().error({ method, err: result.error }, "the object store cannot be reached");
  return storeUnanswered();
}

export const storeUnanswered = () =>
  storeUnavailable("The file store does not answer as it should. Nothing was changed. Try again shortly.");
