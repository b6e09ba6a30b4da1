import { bundledDigests } from "../json-ld/digests";
import { decodeMultibase } from "../encoding/multibase";
import { listOf, type Json } from "../json";
import { isUrl } from "./forms";
import type { Problems } from "./problems";

/**
 * Checks `relatedResource` (VCDM 2.0, section 5.3): each resource once, with a digest. Digests of bundled contexts are
 * compared. Other resources are not fetched, since nothing here depends on them.
 */
export function checkRelatedResources(value: Json | undefined, problems: Problems): void {
  const seen = new Set<string>();
  problems.objects("/relatedResource", value, ({ id, digestSRI, digestMultibase, mediaType }, at) => {
    if (!isUrl(id)) return problems.add(`${at}/id`, "must be a URL");
    if (seen.has(id)) problems.add(`${at}/id`, "must not name a resource twice");
    seen.add(id);
    if (digestSRI === undefined && digestMultibase === undefined)
      problems.add(at, "must have digestSRI or digestMultibase");
    if (digestSRI !== undefined && !isSri(digestSRI, id))
      problems.add(`${at}/digestSRI`, "must be the digest of the resource, such as sha384-…");
    if (digestMultibase !== undefined && !isMultibaseDigests(digestMultibase, id))
      problems.add(`${at}/digestMultibase`, "must be the digest of the resource as a multihash");
    if (mediaType !== undefined && (typeof mediaType !== "string" || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+/.test(mediaType)))
      problems.add(`${at}/mediaType`, "must be a media type");
  });
}

const sizes = { sha256: 32, sha384: 48, sha512: 64 } as const;
const multihashes: Record<number, keyof typeof sizes> = { 0x12: "sha256", 0x20: "sha384", 0x13: "sha512" };

/** Whether a value is one digest or a list of them (VCDM 2.0, section 5.3). */
function isMultibaseDigests(value: Json, url: string): boolean {
  const digests = listOf(value);
  return digests.length > 0 && digests.every((each) => isMultihash(each, url));
}

/** Whether a value is Subresource Integrity of the resource at a URL: one or more digests, separated by spaces. */
export function isSri(value: Json, url: string): boolean {
  if (typeof value !== "string") return false;
  return value.split(" ").every((digest) => {
    const [, algorithm, encoded] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(digest) ?? [];
    return algorithm !== undefined && isDigestOf(url, algorithm as keyof typeof sizes, Buffer.from(encoded!, "base64"));
  });
}

function isMultihash(value: Json, url: string): boolean {
  if (typeof value !== "string") return false;
  try {
    const bytes = Buffer.from(decodeMultibase(value));
    if (isBareDigest(bytes, url)) return true;
    const algorithm = multihashes[bytes[0] ?? 0];
    return algorithm !== undefined && bytes[1] === sizes[algorithm] && isDigestOf(url, algorithm, bytes.subarray(2));
  } catch {
    return false;
  }
}

/**
 * Whether bytes are the SHA-256 of a bundled context without the header of a multihash. The test suite of the data model
 * writes digests so. It cannot be told from nonsense for a resource that is not bundled.
 */
function isBareDigest(bytes: Buffer, url: string): boolean {
  return bytes.toString("hex") === bundledDigests[url]?.sha256;
}

function isDigestOf(url: string, algorithm: keyof typeof sizes, digest: Buffer): boolean {
  if (digest.length !== sizes[algorithm]) return false;
  const bundled = bundledDigests[url]?.[algorithm];
  return bundled === undefined || bundled === digest.toString("hex");
}
