import { queueSql } from "@/server/core/db";
import type { Id } from "@/server/core/ids";
import { loadPassFacts } from "../load-pass-facts";
import type { GoogleApi, GoogleResult } from "./api";
import type { GoogleFailure } from "./access-token";
import { insertPass } from "./insert-pass";
import { noticeOf, passObject, toldWord } from "./pass-object";

/** How many messages that a phone shows Google takes of a pass within a day. */
export const noticesADay = 3;
const dayMs = 86_400_000;

/** A pass that this process holds under a lease. */
export interface HeldPass {
  org_id: Id<"org">;
  credential_id: Id<"crd">;
  object_id: string;
  code: string;
  claim_id: Id<"req">;
  /** The state that the phone was last told; empty for none. */
  told: string;
  notified_at: Date[];
}

/** What Google has after an update, or why it took none. */
export type Updated = { told: string } | GoogleFailure;

/**
 * Brings a pass at Google to what the public page shows now. A phone shows a message when the state changed, three
 * times a day at most; other changes are silent.
 */
export async function updatePass(api: GoogleApi, held: HeldPass, now: () => Date): Promise<Updated> {
  const facts = await loadPassFacts(held.code, now());
  const told = toldWord(facts);
  const isNews = told !== held.told;
  const content = passObject(facts);
  // Messages about an earlier state, or a person who was erased, do not stay.
  const patch = isNews ? { ...content, messages: [] } : content;
  const patched = await api.send("PATCH", `genericObject/${held.object_id}`, patch);
  const result = patched === "missing" ? await insertPass(api, held.org_id, held.object_id, content) : patched;
  if (result !== "done") return failureOf(result);
  if (isNews && held.told !== "" && !facts.evidence.erased_at) {
    const failure = await notify(api, held, noticeOf(facts), now);
    if (failure) return failure;
  }
  return { told };
}

/** Sends a message that phones show, unless three were sent within a day. */
async function notify(
  api: GoogleApi,
  held: HeldPass,
  notice: { header: string; body: string },
  now: () => Date,
): Promise<GoogleFailure | null> {
  const recent = held.notified_at.filter((at) => now().getTime() - at.getTime() < dayMs);
  if (recent.length >= noticesADay) return null;
  // Noted before it is sent: after a process that died in between, it counts although it may not have been sent.
  if (!(await noteNotices(held, [...recent, now()]))) return null;
  const result = await api.send("POST", `genericObject/${held.object_id}/addMessage`, {
    message: { ...notice, messageType: "TEXT_AND_NOTIFY" },
  });
  if (result === "done" || result === "quota") return null;
  await noteNotices(held, recent);
  return failureOf(result);
}

/** Notes when messages were sent. @returns whether the pass is still held */
async function noteNotices({ org_id, credential_id, claim_id }: HeldPass, times: Date[]): Promise<boolean> {
  const rows = await queueSql(
    `UPDATE google_passes SET notified_at = $4::timestamptz[] WHERE org_id = $1 AND credential_id = $2 AND claim_id = $3 RETURNING 1`,
    [org_id, credential_id, claim_id, times],
  );
  return rows.length > 0;
}

const failureOf = (result: Exclude<GoogleResult, "done">): GoogleFailure =>
  typeof result === "string" ? { words: `Google did not take an update (${result}).`, isRefusal: false } : result;
