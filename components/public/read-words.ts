import { formatCode } from "@/server/credentials/code";
import { decisionKind, decisionWords } from "./decision-words";
import type { Read } from "./read";
import { say } from "./words";

/** The result of a read in a few words, for the list of recent reads and the title of the page. */
export function wordOf({ outcome }: Pick<Read, "outcome">): string {
  switch (outcome.kind) {
    case "decision": {
      const { word, brief = word } = decisionWords[decisionKind(outcome.verification)];
      return say(brief);
    }
    case "checking":
      return say("Checking");
    case "unanswered":
      return say("Could not be checked");
    case "earlier":
    case "offline":
      return say(outcome.word);
    case "several":
      return say("Several codes");
    case "empty":
    case "heic":
      return say("Cannot be checked here");
    default:
      return say("Not a credential of this service");
  }
}

/** What was read: holder, title, and code or file name, as far as known. */
export function nameOf({ outcome, question }: Pick<Read, "outcome" | "question">): string {
  if ("name" in outcome) return outcome.name;
  if (outcome.kind === "foreign") return outcome.host;
  const asked = askedName(question);
  if (outcome.kind !== "decision") return asked;
  const { reason, credential } = outcome.verification;
  const { subject, title, issuer } = credential;
  // Something that could not be read has no title of its own.
  const isUnread = reason === "malformed" && issuer.did === null;
  return [subject.displayName, isUnread ? "" : title, asked].filter(Boolean).join(", ").slice(0, 300);
}

function askedName(question: Read["question"]): string {
  if (!question || "credential" in question) return "";
  return "code" in question ? formatCode(question.code) : question.file.name;
}
