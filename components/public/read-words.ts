import { formatCode } from "@/server/credentials/code";
import { decisionKind, decisionWords } from "./decision-words";
import type { Read } from "./read";
import { say } from "./words";

/** What a read came to in a few words, for the list of the last ones and the title of the page. */
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

/** What was read: the holder, the title and the code or the name of the file, as far as they are known. */
export function nameOf({ outcome, question }: Pick<Read, "outcome" | "question">): string {
  if ("name" in outcome) return outcome.name;
  if (outcome.kind === "foreign") return outcome.host;
  const asked = askedName(question);
  if (outcome.kind !== "decision") return asked;
  const { reason, credential } = outcome.verification;
  const { subject, title, issuer } = credential;
  // What was not read has no title of its own.
  const isUnread = reason === "malformed" && issuer.did === null;
  return [subject.displayName, isUnread ? "" : title, asked].filter(Boolean).join(", ").slice(0, 300);
}

function askedName(question: Read["question"]): string {
  if (!question || "credential" in question) return "";
  return "code" in question ? formatCode(question.code) : question.file.name;
}
