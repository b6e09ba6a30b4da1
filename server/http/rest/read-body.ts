import { DomainError } from "@/server/core/errors";
import { refuseManyValues } from "./bounded-values";
import { parseJsonRows } from "./json-rows";
import { parseJsonObject } from "./json";

/**
 * Reads a body, and refuses it as soon as it exceeds the limit.
 * @throws DomainError `payload_too_large`; `unsupported_media_type` for a compressed body; `malformed_request` if the
 * client breaks off.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  refuseEncoding(request);
  try {
    return await readWhole(request, limit);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // No client is left to read this; the error keeps the broken request from being counted as a failure of the
    // service.
    throw new DomainError("malformed_request", "The body broke off before its end.");
  }
}

/**
 * Tells whether a body took so long (over 1 s) that the caller must be authenticated again: a key or session can be
 * revoked while a client holds back half a body, for up to a minute. Faster bodies save the second look-up
 * (docs/decisions/370).
 * @param since when the caller was authenticated
 */
export const cameSlowly = (since: Date): boolean => Date.now() - since.getTime() > 1000;

/** @throws DomainError `unsupported_media_type` for a compressed body. */
export function refuseEncoding(request: Request): void {
  const encoding = request.headers.get("content-encoding");
  if (encoding === null || /^(?:identity)?$/i.test(encoding.trim())) return;
  throw new DomainError(
    "unsupported_media_type",
    `The body has the Content-Encoding ${JSON.stringify(encoding.slice(0, 40))}. Send it uncompressed, without that header.`,
    {
      headers: { "accept-encoding": "identity" },
    },
  );
}

async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () => new DomainError("payload_too_large", `The body may have at most ${limit} bytes.`);
  const declared = Number(request.headers.get("content-length") ?? NaN);
  if (declared > limit) throw tooLarge();
  if (!Number.isNaN(declared)) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Whether a Content-Type is JSON or a JSON-based type. */
export const isJson = (type: string): boolean => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type);

/** Limits of a JSON body. */
export interface JsonLimits {
  bytes: number;
  /** JSON values at all levels. */
  values: number;
  /** What a refusal asks for: application/json unless told. */
  mediaType?: string;
  /** The sentence of a refusal, where more than JSON is accepted. */
  asked?: string;
}

/**
 * Reads a JSON object; an absent body is an empty object. With `rows`, the name of a list in it, bad rows of that list
 * are refused one by one.
 */
export async function readJson(request: Request, limits: JsonLimits, rows?: string): Promise<Record<string, unknown>> {
  const { mediaType = "application/json", asked = `Send the body as ${mediaType}.` } = limits;
  const bytes = await readBytes(request, limits.bytes);
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!isJson(type)) {
    throw new DomainError("unsupported_media_type", asked, {
      headers: { accept: mediaType },
    });
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new DomainError(
      "unsupported_media_type",
      `The body is declared as ${JSON.stringify(charset.slice(0, 40))}. JSON is sent in UTF-8; send it so, without another charset.`,
      { headers: { accept: mediaType } },
    );
  }
  refuseManyValues(bytes, limits.values);
  return rows === undefined ? parseJsonObject(bytes) : parseJsonRows(bytes, rows);
}
