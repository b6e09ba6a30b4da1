import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { loadPassFacts } from "../load-pass-facts";
import type { GoogleApi, GoogleResult } from "./api";
import type { GoogleFailure } from "./access-token";
import { insertPass } from "./insert-pass";
import { noticeOf, passObject, stateWordOf } from "./pass-object";
import { sendContent } from "./send-content";

/** Google accepts this many messages with a notification on phones per pass and day. */
export const maxMessagesPerDay = 3;
const dayMs = 86_400_000;

/** A pass that this process has leased. */
export interface HeldPass {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  object_id: string;
  code: string;
  claim_id: Id<"req">;
  /** The state in the last message to phones; empty before the first message. */
  told: string;
  notified_at: Date[];
}

/** The state that phones were told after an update, or why Google did not accept the update. */
export type Updated = { told: string; lacksPictures: boolean } | GoogleFailure;

/**
 * Updates a pass at Google to what the public page shows now. Phones show a message if the state changed, at most three
 * a day; other changes are silent.
 */
export async function updatePass(api: GoogleApi, held: HeldPass, now: () => Date): Promise<Updated> {
  const facts = await loadPassFacts(held.code, now());
  const told = stateWordOf(facts);
  const hasNewState = told !== held.told;
  const content = passObject(facts);
  const patched = await sendContent(content, (each) =>
    // Delete earlier messages: they tell of a former state, or of a person who was erased.
    api.send("PATCH", `genericObject/${held.object_id}`, hasNewState ? { ...each, messages: [] } : each),
  );
  const { result, lacksPictures } =
    patched.result === "missing" ? await insertPass(api, held.org_id, held.object_id, content) : patched;
  if (result !== "done") return failureOf(result);
  if (hasNewState && held.told !== "" && !facts.evidence.erased_at) {
    const failure = await notify(api, held, noticeOf(facts), now);
    if (failure) return failure;
  }
  return { told, lacksPictures };
}

/** Sends a message that phones show, unless three were sent within a day. */
async function notify(
  api: GoogleApi,
  held: HeldPass,
  notice: { header: string; body: string },
  now: () => Date,
): Promise<GoogleFailure | null> {
  const recent = held.notified_at.filter((at) => now().getTime() - at.getTime() < dayMs);
  if (recent.length >= maxMessagesPerDay) return null;
  // Count the message before it is sent: if the process dies in between, a message too few is better than one too many.
  if (!(await storeMessageTimes(held, [...recent, now()]))) return null;
  const result = await api.send("POST", `genericObject/${held.object_id}/addMessage`, {
    message: { ...notice, messageType: "TEXT_AND_NOTIFY" },
  });
  if (result === "done" || result === "quota") return null;
  await storeMessageTimes(held, recent);
  return failureOf(result);
}

/** Stores when messages were sent. @returns whether this process still holds the lease */
async function storeMessageTimes({ org_id, credential_id, claim_id }: HeldPass, times: Date[]): Promise<boolean> {
  const rows = await queueSql(
    `UPDATE google_passes SET notified_at = $4::timestamptz[] WHERE org_id = $1 AND credential_id = $2 AND claim_id = $3 RETURNING 1`,
    [org_id, credential_id, claim_id, times],
  );
  return rows.length > 0;
}

const failureOf = (result: Exclude<GoogleResult, "done">): GoogleFailure =>
  typeof result === "string" ? { words: `Google did not accept an update (${result}).`, isRefusal: false } : result;
