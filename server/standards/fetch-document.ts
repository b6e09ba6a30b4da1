import { Unverifiable } from "./failure";
import type { Surroundings } from "./surroundings";

interface Wanted {
  /** The media types to ask for. */
  accept: string;
  /** The media types that are accepted; any if undefined. */
  types?: RegExp;
  maxBytes: number;
  /** The subject of the error message: "The status list". */
  what: string;
}

/** How long one document may take, from the DNS look-up to the last byte. */
const totalTimeoutMs = 5_000;

/**
 * Fetches a text through the guarded client.
 * @throws Unverifiable if it cannot be fetched completely
 */
export async function fetchDocument(
  url: string,
  { accept, types, maxBytes, what }: Wanted,
  { request }: Surroundings,
): Promise<string> {
  const answer = await request({
    url,
    headers: { accept },
    maxResponseBytes: maxBytes,
    totalTimeoutMs,
    connectTimeoutMs: 3_000,
    lane: "verification",
  });
  if (!answer.ok) throw new Unverifiable(`${what} could not be fetched. ${answer.errorDetail ?? ""}`.trim());
  if (answer.truncated) throw new Unverifiable(`${what} is larger than ${maxBytes.toLocaleString("en")} bytes.`);
  if (types && !types.test(answer.headers["content-type"] ?? ""))
    throw new Unverifiable(`${what} is not served as JSON, so it may be a file that anyone put there.`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(answer.body);
  } catch {
    throw new Unverifiable(`${what} is not a text in UTF-8.`);
  }
}
