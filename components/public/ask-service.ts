import { localeIn, pageLanguageHeader } from "@/server/core/languages";
import type { Verification } from "@/server/verification/view";
import { language } from "./words";

/**
 * What to verify: a code (with the signed statement of its QR code), the text of a credential, or a file that contains
 * one.
 */
export type Question = { code: string; statement?: string } | { credential: string } | { file: File };

/** Why there is no answer. `retryAfterMs` is the wait that the service asked for. */
export interface Unanswered {
  kind: "unanswered";
  why: "no_connection" | "no_answer" | "too_often" | "too_large";
  retryAfterMs?: number;
}

export type ServiceAnswer = { kind: "decision"; verification: Verification } | { kind: "unknown" } | Unanswered;

/** For a document, the service also asks the issuer, which has 5 seconds for each request. */
const patienceMs = { code: 10_000, signed: 4_000, document: 30_000 };
/** A JSON body may have 1 MiB, and escapes make a text longer. Longer texts are sent as a file. */
const longestText = 500_000;

/**
 * Asks the service to verify something. Never rejects.
 *
 * @param isKnownHere whether this device can decide too. At a door, its decision is then shown soon, and the service is
 * asked again in the background.
 */
export async function askService(question: Question, isKnownHere = false): Promise<ServiceAnswer> {
  try {
    const { body, headers } = bodyOf(question);
    const answer = await fetch("/public/verify", {
      method: "POST",
      body,
      headers: { ...headers, [pageLanguageHeader]: language() },
      cache: "no-store",
      signal: AbortSignal.timeout(patienceMs["code" in question ? (isKnownHere ? "signed" : "code") : "document"]),
    });
    if (answer.ok) return { kind: "decision", verification: inOurLanguage((await answer.json()) as Verification) };
    if (answer.status === 404) return { kind: "unknown" };
    if (answer.status === 413) return { kind: "unanswered", why: "too_large" };
    const seconds = Number(answer.headers.get("retry-after") ?? 0);
    return {
      kind: "unanswered",
      why: answer.status === 429 ? "too_often" : "no_answer",
      ...(seconds > 0 && { retryAfterMs: seconds * 1000 }),
    };
  } catch {
    return { kind: "unanswered", why: "no_connection" };
  }
}

/** Dates are written in the language of the page. */
function inOurLanguage(verification: Verification): Verification {
  const { issuer } = verification.credential;
  issuer.locale = localeIn(language(), issuer.locale);
  return verification;
}

function bodyOf(question: Question): { body: BodyInit; headers?: Record<string, string> } {
  if ("file" in question) return { body: formOf(question.file) };
  if ("credential" in question && question.credential.length > longestText)
    return { body: formOf(new Blob([question.credential])) };
  const { statement: _, ...asked } = question as { statement?: string };
  return { body: JSON.stringify(asked), headers: { "content-type": "application/json" } };
}

function formOf(file: Blob): FormData {
  const form = new FormData();
  form.set("file", file);
  return form;
}

/** Returns why there is no answer, as the end of a sentence. */
export const whyWords: Record<Unanswered["why"], string> = {
  no_connection: "no connection",
  no_answer: "the service does not answer",
  too_often: "asked too often",
  too_large: "it is too large",
};
