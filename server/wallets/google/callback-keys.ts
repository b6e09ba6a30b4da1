import { z } from "zod";
import { json } from "./access-token";
import { askGoogle, type GoogleService } from "./service";

/** The protocol of Google's callbacks, which are signed and not encrypted. */
export const protocolVersion = "ECv2SigningOnly";

/** How long downloaded keys are used, in milliseconds. */
const cachedForMs = 24 * 3600_000;
/** The shortest time between two downloads, in milliseconds. */
const downloadEveryMs = 60_000;

const keyList = z.object({
  keys: z
    .array(z.object({ keyValue: z.string(), keyExpiration: z.coerce.number().optional(), protocolVersion: z.string() }))
    .max(100),
});

interface Known {
  at: number;
  /** SubjectPublicKeyInfo in base64, with the expiry of each key in milliseconds. */
  keys: { key: string; until: number }[];
}

const known = new Map<string, Known>();
/** The last download of each key list. */
const asked = new Map<string, { at: number; done: Promise<void> }>();

/**
 * Returns the root keys with which Google signs the intermediate keys of its callbacks, as SubjectPublicKeyInfo in
 * base64. They are cached for a day.
 *
 * @param isFresh downloads the keys again unless that was done within the last minute; for a signature that no cached key
 *   verifies
 * @returns null if Google cannot be reached and no keys are cached
 */
export async function callbackKeys(
  service: GoogleService,
  { now, isFresh = false }: { now: Date; isFresh?: boolean },
): Promise<string[] | null> {
  const time = now.getTime();
  const kept = known.get(service.keysUrl);
  if (!kept || isFresh || time - kept.at > cachedForMs) {
    const last = asked.get(service.keysUrl);
    const asking = last && time - last.at < downloadEveryMs ? last : { at: time, done: downloadKeys(service, time) };
    asked.set(service.keysUrl, asking);
    await asking.done;
  }
  const current = known.get(service.keysUrl);
  return current ? current.keys.filter(({ until }) => until > time).map(({ key }) => key) : null;
}

async function downloadKeys(service: GoogleService, time: number): Promise<void> {
  const answer = await askGoogle(service, { url: service.keysUrl });
  const read = answer.ok ? keyList.safeParse(json(answer.body)) : null;
  if (!read?.success) return;
  const keys = read.data.keys
    .filter((each) => each.protocolVersion === protocolVersion)
    .map(({ keyValue, keyExpiration }) => ({ key: keyValue, until: keyExpiration ?? Infinity }));
  known.set(service.keysUrl, { at: time, keys });
}
