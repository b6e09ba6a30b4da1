import { useEffect, useState } from "react";

/** Copies a text to the clipboard. `copied` is true for a moment afterwards, for the button to show it. */
export function useCopy(text: string, onCopied?: () => void): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1600);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    onCopied?.();
  };
  return { copied, copy: () => void copy() };
}
