import { LoaderCircle, WifiOff } from "lucide-react";
import { Message } from "./message";
import type { DocumentRead } from "./use-document";
import { VerifyAnswer } from "./verify-answer";

/** What a credential that was handed in came to. */
export function DocumentResult({ read, askAnew }: { read: DocumentRead; askAnew(): Promise<void> }) {
  switch (read.kind) {
    case "checking":
      return (
        <Message icon={LoaderCircle} title="Checking…">
          <p>The issuer is asked as well, which may take a few seconds.</p>
        </Message>
      );
    case "unanswered":
      return (
        <Message icon={WifiOff} title="This could not be checked" tone="warning">
          <p>{read.why} That says nothing for or against the credential.</p>
        </Message>
      );
    case "decision":
      return <VerifyAnswer answer={read} askAnew={askAnew} />;
  }
}
