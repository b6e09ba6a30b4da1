import { z } from "zod";
import { json } from "./access-token";
import { askGoogle, type GoogleService } from "./service";

/** The protocol of Google's callbacks: signed, not encrypted. */
export const protocolVersion = "ECv2SigningOnly";

/** How long Google's keys are used, in milliseconds, and how often at most they are asked for. */
const usedForMs = 24 * 3600_000;
const askedEveryMs = 60_000;

const keyList = z.object({
  keys: z
    .array(z.object({ keyValue: z.string(), keyExpiration: z.coerce.number().optional(), protocolVersion: z.string() }))
    .max(100),
});

interface Known {
  at: number;
  /** SubjectPublicKeyInfo in base64, with the end of each in milliseconds. */
  keys: { key: string; until: number }[];
}

const known = new Map<string, Known>();
/** The last time that keys were asked for, and what came of it. */
const asked = new Map<string, { at: number; done: Promise<void> }>();

/**
 * Returns the root keys with which Google signs the keys of its callbacks, as SubjectPublicKeyInfo in base64. They are
 * kept for a day.
 *
 * @param isFresh asks again where that was not done within the last minute, for a signature that no kept key verifies
 * @returns null if Google was not reached and none are kept
 */
export async function callbackKeys(
  service: GoogleService,
  { now, isFresh = false }: { now: Date; isFresh?: boolean },
): Promise<string[] | null> {
  const time = now.getTime();
  const kept = known.get(service.keysUrl);
  if (!kept || isFresh || time - kept.at > usedForMs) {
    const last = asked.get(service.keysUrl);
    const asking = last && time - last.at < askedEveryMs ? last : { at: time, done: askForKeys(service, time) };
    asked.set(service.keysUrl, asking);
    await asking.done;
  }
  const current = known.get(service.keysUrl);
  return current ? current.keys.filter(({ until }) => until > time).map(({ key }) => key) : null;
}

async function askForKeys(service: GoogleService, time: number): Promise<void> {
  const answer = await askGoogle(service, { url: service.keysUrl });
  const read = answer.ok ? keyList.safeParse(json(answer.body)) : null;
  if (!read?.success) return;
  const keys = read.data.keys
    .filter((each) => each.protocolVersion === protocolVersion)
    .map(({ keyValue, keyExpiration }) => ({ key: keyValue, until: keyExpiration ?? Infinity }));
  known.set(service.keysUrl, { at: time, keys });
}
