"use client";
import { FileQuestionMark, Hourglass, Link2Off, LoaderCircle, QrCode, WifiOff } from "lucide-react";
import type { Unanswered } from "./ask-service";
import { device } from "./device/hooks";
import { Message } from "./message";
import { PlainButton } from "./plain-button";
import type { Read, Source } from "./read";
import { BriefAnswer, VerifyAnswer } from "@/components/public/verify-answer";
import { say } from "./words";

interface Props {
  read: Read;
  /** The answer at the door: the decision and the holder, without the details. */
  isBrief: boolean;
  retry(read: Read): void;
  askAnew(read: Read): Promise<void>;
}

const titles: Record<Unanswered["why"], string> = {
  no_connection: "This could not be checked: no connection",
  no_answer: "This could not be checked: the service does not answer",
  too_often: "This could not be checked: asked too often",
  too_large: "This could not be checked: it is too large",
};

const keptWords: Record<Source, string> = {
  typed: "The code that you typed is kept, and is checked as soon as there is an answer.",
  scanned: "The code was read and is kept, and is checked as soon as there is an answer.",
  pasted: "What you pasted is kept, and is checked as soon as there is an answer.",
  file: "The file is kept, and is checked as soon as there is a connection.",
};

/** What becomes of the thing that could not be checked. A file is sent again automatically only if there was no connection. */
function nextWords(why: Unanswered["why"], source: Source): string {
  if (why === "too_large") return "A file may have 10 MB.";
  return source === "file" && why !== "no_connection" ? "The file is kept." : keptWords[source];
}

/** The result of the newest thing that was scanned, typed, pasted or chosen. */
export function ScanResult({ read, isBrief, retry, askAnew }: Props) {
  const { outcome, source } = read;
  switch (outcome.kind) {
    case "checking":
      return (
        <Message icon={LoaderCircle} title={say(source === "scanned" ? "Recognised, checking…" : "Checking…")}>
          <p>
            {read.question && "code" in read.question
              ? say("The answer comes in a moment.")
              : say("The issuer is asked as well, which may take a few seconds.")}
          </p>
        </Message>
      );
    case "unanswered":
      return (
        <Message
          icon={outcome.why === "too_often" ? Hourglass : WifiOff}
          title={say(titles[outcome.why])}
          tone="warning"
        >
          <p>
            {say("That says nothing for or against the credential.")} {say(nextWords(outcome.why, source))}
            {outcome.why === "too_often" && ` ${say("Too many were checked from here within a minute.")}`}
          </p>
          {outcome.why !== "too_large" && (
            <PlainButton className="mt-3" onPress={() => retry(read)}>
              {say("Try again")}
            </PlainButton>
          )}
        </Message>
      );
    case "several":
      return (
        <Message icon={QrCode} title={say("Several codes: show one at a time")}>
          <p>{say("There is more than one QR code to be seen, and nobody knows which one is meant.")}</p>
        </Message>
      );
    case "heic":
      return (
        <Message icon={FileQuestionMark} title={say("This picture cannot be read here")} tone="warning">
          <p>{say("It is a HEIC picture, as an iPhone takes them. Save it as JPEG or PNG, and choose that.")}</p>
        </Message>
      );
    case "empty":
      return (
        <Message icon={FileQuestionMark} title={say("This is not something that can be checked here")}>
          <p>{say("The file is empty.")}</p>
        </Message>
      );
    case "foreign":
      if (!isBrief) return <VerifyAnswer answer={outcome} />;
      return (
        <Message icon={Link2Off} title={say("Not a credential of this service")} tone="warning">
          <p>{say("This QR code leads to {host}, not to this service.", { host: outcome.host })}</p>
        </Message>
      );
    case "unreadable":
      if (source === "typed") return <VerifyAnswer answer={outcome} />;
      return (
        <Message icon={Link2Off} title={say("Not a credential of this service")} tone="warning">
          <p>{say("This QR code is not that of a credential.")}</p>
        </Message>
      );
    case "decision": {
      const askThisAnew = () => askAnew(read);
      if (!isBrief) return <VerifyAnswer answer={outcome} askAnew={askThisAnew} />;
      return <BriefAnswer key={read.id} verification={outcome.verification} askAnew={askThisAnew} />;
    }
    case "offline":
      return (
        <div
          key={read.id}
          ref={(place) => {
            if (place) device().show?.(place, { decision: outcome.decision, isBrief });
          }}
        />
      );
    case "unknown":
      return <VerifyAnswer answer={outcome} />;
    case "earlier":
      return null;
  }
}
