import { Check, Copy } from "lucide-react";
import { useCopy } from "@/components/ui/use-copy";
import { PlainButton } from "./plain-button";
import { say } from "./words";

/** Copies a text. */
export function CopyText({ text, label, onCopied }: { text: string; label: string; onCopied?: () => void }) {
  const { copied, copy } = useCopy(text, onCopied);
  return (
    <PlainButton variant="outline" onPress={copy}>
      {copied ? <Check className="text-success" aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{copied ? say("Copied") : label}</span>
    </PlainButton>
  );
}
