"use client";
import { Button, Tooltip } from "@heroui/react";
import { Check, Copy } from "lucide-react";
import { useCopy } from "./use-copy";

/** An icon button that copies `text`. `what` completes its name for screen readers: "Copy credential id". */
export function CopyButton({ text, what, className = "" }: { text: string; what: string; className?: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <Tooltip>
      <Button
        isIconOnly
        size="sm"
        variant="ghost"
        aria-label={`Copy ${what}`}
        className={`size-6 min-w-6 text-muted md:size-6 ${className}`}
        onPress={copy}
      >
        {copied ? (
          <Check className="size-3.5! text-success" aria-hidden="true" />
        ) : (
          <Copy className="size-3.5!" aria-hidden="true" />
        )}
      </Button>
      <Tooltip.Content>{copied ? "Copied" : `Copy ${what}`}</Tooltip.Content>
    </Tooltip>
  );
}

export function CopyTextButton({
  text,
  label = "Copy",
  onCopied,
}: {
  text: string;
  label?: string;
  onCopied?: () => void;
}) {
  const { copied, copy } = useCopy(text, onCopied);
  return (
    <Button variant="outline" onPress={copy}>
      {copied ? <Check className="text-success" aria-hidden="true" /> : <Copy aria-hidden="true" />}
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </Button>
  );
}

/** An id or code in full, with a button to copy it. */
export function Copyable({ text, what, children }: { text: string; what: string; children?: string }) {
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <code className="truncate font-mono text-xs" title={text}>
        {children ?? text}
      </code>
      <CopyButton text={text} what={what} className="-my-1 shrink-0" />
    </span>
  );
}
