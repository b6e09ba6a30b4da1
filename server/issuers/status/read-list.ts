import { sql } from "@/server/core/db";
import { processState } from "@/server/core/process-state";
import type { Id } from "@/server/core/ids";
import { findBySlug } from "../find-by-slug";
import { endedSince } from "./ended-early";
import { statusListUrl, type StatusPurpose } from "./purposes";
import { signList } from "./sign-list";
import { signedAgainMs, type SignedList } from "./signed-list";

interface Stored extends SignedList {
  is_fresh: boolean;
}

/** For each list, the signing in progress, and the one that follows it. */
const state = processState("status lists", () => ({
  running: new Map<string, Promise<SignedList>>(),
  next: new Map<string, Promise<SignedList>>(),
}));

/**
 * Returns a status list of the issuer with this slug, signed. It includes every change that was committed before the
 * call. A changed list is signed once for all its readers; nothing else waits meanwhile, because no lock is held
 * (decision 402).
 *
 * @throws DomainError not_found
 */
export async function readStatusList(slug: string, purpose: StatusPurpose, now: Date): Promise<SignedList> {
  const orgId = await findBySlug(slug);
  return (await findFresh(orgId, slug, purpose, now)) ?? signOnce(orgId, slug, purpose, now);
}

/** Finds the signed list if it includes all committed changes and was signed by the present key. */
async function findFresh(
  orgId: Id<"org">,
  slug: string,
  purpose: StatusPurpose,
  now: Date,
): Promise<SignedList | undefined> {
  const [found] = await sql<Stored>(stored, [
    orgId,
    purpose,
    statusListUrl(slug, purpose),
    new Date(now.getTime() - signedAgainMs),
    now,
  ]);
  return found?.is_fresh ? found : undefined;
}

const stored = `
SELECT l.document, l.jwt,
  l.bits IS NOT NULL AND l.url = $3 AND l.signed_at > $4
  AND NOT EXISTS (SELECT FROM status_changes WHERE org_id = $1 AND purpose = $2)
  AND NOT (l.purpose = 'revocation' AND EXISTS (${endedSince("l.signed_at", "$5")}))
  AND length(l.bits) = (SELECT max(capacity) FROM status_lanes WHERE org_id = $1) * 8
  AND EXISTS (SELECT FROM issuer_keys k WHERE k.org_id = $1 AND k.id = l.key_id AND k.retired_at IS NULL) AS is_fresh
FROM status_lists l WHERE l.org_id = $1 AND l.purpose = $2`;

/**
 * Signs the list. Concurrent callers share a signature that began after each of their calls, because the one in
 * progress may have read the database before.
 */
function signOnce(orgId: Id<"org">, slug: string, purpose: StatusPurpose, now: Date): Promise<SignedList> {
  const key = `${String(orgId)} ${purpose}`;
  const sign = async () => (await findFresh(orgId, slug, purpose, now)) ?? signList(orgId, slug, purpose, now);
  const begin = (work: Promise<SignedList>) => {
    state.running.set(key, work);
    const end = () => {
      if (state.running.get(key) === work) state.running.delete(key);
    };
    work.then(end, end);
    return work;
  };
  const running = state.running.get(key);
  if (!running) return begin(sign());
  const known = state.next.get(key);
  if (known) return known;
  const next = running
    .catch(() => undefined)
    .then(() => {
      state.next.delete(key);
      return begin(sign());
    });
  state.next.set(key, next);
  return next;
}
