"use client";
import { Button } from "@heroui/react";
import { Link2Off, LoaderCircle, WifiOff } from "lucide-react";
import { Decision } from "./decision";
import { decisionLook } from "./decision-looks";
import { Holder } from "./holder";
import { Message } from "./message";
import type { Read } from "./use-reads";
import { VerifyAnswer } from "./verify-answer";

interface Props {
  read: Read;
  /** At the door: the decision and who it is, without the details. */
  isBrief: boolean;
  retry(read: Read): void;
  askAnew(read: Read): Promise<void>;
}

/** What the newest code that was scanned or typed came to. */
export function ScanResult({ read, isBrief, retry, askAnew }: Props) {
  const { outcome } = read;
  switch (outcome.kind) {
    case "checking":
      return (
        <Message icon={LoaderCircle} title={read.isTyped ? "Checking…" : "Recognised, checking…"}>
          <p>The answer comes in a moment.</p>
        </Message>
      );
    case "unanswered":
      return (
        <Message
          icon={WifiOff}
          title={
            outcome.why === "no_connection"
              ? "This could not be checked: no connection"
              : "This could not be checked: the service does not answer"
          }
          tone="warning"
        >
          <p>
            That says nothing for or against the credential.{" "}
            {read.isTyped ? "The code that you typed is kept," : "The code was read and is kept,"} and is checked as
            soon as there is a connection.
          </p>
          <Button className="mt-3" onPress={() => retry(read)}>
            Try again
          </Button>
        </Message>
      );
    case "foreign":
      if (!isBrief) return <VerifyAnswer answer={outcome} />;
      return (
        <Message icon={Link2Off} title="Not a credential of this service" tone="warning">
          <p>This QR code leads to {outcome.host}, not to this service.</p>
        </Message>
      );
    case "unreadable":
      if (read.isTyped) return <VerifyAnswer answer={outcome} />;
      return (
        <Message icon={Link2Off} title="Not a credential of this service" tone="warning">
          <p>This QR code is not that of a credential.</p>
        </Message>
      );
    case "decision": {
      const askThisAnew = () => askAnew(read);
      if (!isBrief) return <VerifyAnswer answer={outcome} askAnew={askThisAnew} />;
      const { subject, title } = outcome.verification.credential;
      return (
        <div className="space-y-3">
          <Decision key={read.id} verification={outcome.verification} askAnew={askThisAnew} />
          <Holder subject={subject} />
          <p className="text-[0.8125rem] wrap-anywhere text-muted">
            <bdi>{title}</bdi>
          </p>
        </div>
      );
    }
    case "unknown":
      return <VerifyAnswer answer={outcome} />;
  }
}

/** In a word, for the list of the last ones and the title of the page. */
export function wordOf({ outcome }: Read): string {
  switch (outcome.kind) {
    case "decision":
      return decisionLook(outcome.verification).word;
    case "checking":
      return "Checking";
    case "unanswered":
      return "Could not be checked";
    default:
      return "Not a credential of this service";
  }
}
