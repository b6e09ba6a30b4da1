import { readFragment } from "@/server/credentials/statement";
import { pastMoment } from "../past-moment";
import { say } from "../words";
import type { Read } from "../read";
import { askService, type ServiceAnswer } from "../ask-service";
import { correct, count, isMarkedRefused, openCodes, wasValidAt, type Counted } from "./attendance";
import { device } from "./hooks";
import { keepIssuer, keptIssuer, keptIssuers } from "./issuers";
import { judge } from "./judge";
import { offlineLook } from "./offline-look";
import { readersRegion } from "./region";
import { isScannerKept, keepScanner } from "./scanner-files";

/** The lifetime (`ttl`) that the lists state. */
const refreshedMs = 300_000;

type Outcome = Read["outcome"];

device().check = async (question): Promise<Outcome | null> => {
  if (!("code" in question)) return null;
  const signed = readFragment(question.statement ?? "");
  const decision = signed && (await judge(signed, question.code, keptIssuer, new Date()));
  if (!decision) return null;
  const { statement } = decision;
  const { word } = offlineLook(decision, new Date(), readersRegion());
  return {
    kind: "offline",
    word,
    name: statement ? [statement.name, statement.title].filter(Boolean).join(", ") : "",
    decision,
  };
};

const offlineKey = "bonafide.counted-offline";

/**
 * Reads of this tab that were counted offline, by id, with their text about the attendance. Like the reads, they
 * survive a reload.
 */
const countedOffline = new Map<number, string>(
  JSON.parse(sessionStorage.getItem(offlineKey) ?? "[]") as [number, string][],
);

device().noteOutcome = (id, question, outcome) => {
  if (outcome.kind === "decision") {
    const { result, credential } = outcome.verification;
    // A code that the service refuses may be missing from this device's list.
    void rememberIssuer(credential.issuer.slug, result === "valid" ? refreshedMs : 0);
  }
  if (!("code" in question)) return undefined;
  const before = countedOffline.get(id);
  if (outcome.kind === "offline") {
    if (before !== undefined || outcome.decision.result !== "valid") return before;
    const words = counted(question.code, outcome.decision.statement!.title, false);
    if (words === undefined) return words;
    countedOffline.set(id, words);
    sessionStorage.setItem(offlineKey, JSON.stringify([...countedOffline].slice(-1000)));
    return words;
  }
  if (outcome.kind !== "decision" && outcome.kind !== "unknown") return before;
  correctWith(question.code, outcome);
  const isValid = outcome.kind === "decision" && outcome.verification.result === "valid";
  if (!isValid && isMarkedRefused(question.code))
    return say("It was counted without a connection, and is marked as refused now.");
  // The code was counted only at the place of its scan.
  if (before !== undefined || !isValid) return before;
  return counted(question.code, outcome.verification.credential.title, true);
};

/** Updates offline scans with the service's answer. */
const correctWith = (code: string, answer: Extract<ServiceAnswer, { kind: "decision" | "unknown" }>) =>
  correct(code, (at) => answer.kind === "decision" && wasValidAt(answer.verification, at));

function counted(code: string, title: string, withConnection: boolean): string | undefined {
  try {
    const at = new Date().toISOString();
    const result = count({ code, title, at, withConnection });
    return result ? wordsOf(result) : undefined;
  } catch {
    return say("It could not be counted: this device has no room left. Export the attendance and remove it here.");
  }
}

const wordsOf = (result: Counted): string =>
  result.kind === "counted"
    ? say("Counted: {n} at {place}.", { n: result.count, place: result.place })
    : say("Already scanned here at {moment}. It is counted once.", {
        moment: pastMoment(result.at, new Date(), readersRegion()),
      });

/** Also keep the data of an issuer whose credential was checked here, so that its codes can be checked offline. */
async function rememberIssuer(slug: string, maxAgeMs = refreshedMs): Promise<void> {
  if (slug === "" || !(await isScannerKept())) return;
  const known = await keptIssuer(slug);
  if (known && Date.now() - Date.parse(known.keptAt) < maxAgeMs) return;
  await keepIssuer(slug).catch(() => undefined);
  window.dispatchEvent(new Event("bonafide:issuers"));
}

/** Refreshes all data of this device. Data that cannot be loaded stays unchanged. */
async function refreshAll(): Promise<void> {
  if (!(await isScannerKept())) return;
  for (const { slug } of await keptIssuers()) await rememberIssuer(slug);
  await keepScanner().catch(() => undefined);
}

let isAsking = false;

/**
 * Checks each offline scan with the service, one after the other. The page holds only the last reads of this tab; the
 * attendance has all scans. Stops at the first request without an answer.
 */
async function correctAttendance(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    for (const code of openCodes()) {
      const answer = await askService({ code });
      if (answer.kind === "unanswered") return;
      correctWith(code, answer);
    }
  } finally {
    isAsking = false;
  }
}

const catchUp = () => {
  void refreshAll();
  void correctAttendance();
};
catchUp();
setInterval(() => void refreshAll(), refreshedMs);
setInterval(() => void correctAttendance(), 30_000);
window.addEventListener("online", catchUp);
