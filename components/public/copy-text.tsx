import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { PlainButton } from "./plain-button";
import { say } from "./words";

/** Copies a text. */
export function CopyText({ text, label, onCopied }: { text: string; label: string; onCopied?: () => void }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    onCopied?.();
  }
  return (
    <PlainButton variant="outline" onPress={() => void copy()}>
      {copied ? <Check className="text-success" aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{copied ? say("Copied") : label}</span>
    </PlainButton>
  );
}
