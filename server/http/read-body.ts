import { DomainError } from "@/server/core/errors";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The bytes of a body, refused as soon as they exceed the limit.
 * @throws DomainError payload_too_large; malformed_request where the client breaks off.
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  try {
    return await readWhole(request, limit);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // Nobody is there to read this: it keeps what the client did from being counted as a failure of ours.
    throw new DomainError("malformed_request", "The body broke off before its end.");
  }
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

/** A JSON object. An absent body is an empty object. */
export async function readJson(request: Request, limit: number): Promise<Record<string, unknown>> {
  const bytes = await readBytes(request, limit);
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new DomainError("unsupported_media_type", "Send the body as application/json.", { headers: { accept: "application/json" } });
  }
  return parseJson(bytes);
}

function parseJson(bytes: Uint8Array): Record<string, unknown> {
  refuseDeep(bytes);
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError("malformed_json", `The body is not valid JSON in UTF-8: ${(error as Error).message}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new DomainError("malformed_json", "The body must be a JSON object.");
  // PostgreSQL stores neither NUL nor half of a surrogate pair. Both can only come as an escape, so most bodies need no walk.
  if (/\\u(?:0000|d[89a-f])/i.test(text) || /\d[eE]\+?\d{3}/.test(text)) refuseUnstorable(value);
  return value as Record<string, unknown>;
}

/** Nothing that is stored is nested so deeply; canonicalising, writing and storing what is would run out of stack. */
const maxDepth = 64;

/** @throws DomainError malformed_json for JSON with more than 64 levels. Looks at brackets alone, before anything is parsed. */
export function refuseDeep(json: Uint8Array): void {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (quoted) {
      if (byte === 0x5c) i++; // a backslash takes in what follows it
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth) throw new DomainError("malformed_json", `The body is nested more than ${maxDepth} levels deep.`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
}

/** @throws DomainError for what JSON can hold and PostgreSQL cannot, wherever it stands in a value. */
export function refuseUnstorable(value: unknown): void {
  if (typeof value === "number" && !Number.isFinite(value)) throw new DomainError("malformed_json", "The body holds a number that is too large.");
  if (typeof value === "string") refuseText(value);
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    refuseText(key);
    refuseUnstorable(inner);
  }
}

/** @throws DomainError malformed_request for NUL characters and unpaired surrogates. */
export function refuseText(text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) {
    throw new DomainError("malformed_request", "The request holds a NUL character or half of a surrogate pair, which cannot be stored.");
  }
}
