"use client";
import { Button } from "@heroui/react";
import { X } from "lucide-react";

/** A list narrowed to one thing that no menu holds, such as an id from a link; pressed, it is not any more. */
export function Narrowed({ label, value, onClear }: { label: string; value: string; onClear(): void }) {
  return (
    <Button
      variant="outline"
      aria-label={`${label} ${value}: clear this filter`}
      onPress={onClear}
      className="h-8 max-w-full min-w-0 md:h-8"
    >
      <span className="shrink-0 font-normal text-muted">{label}</span>
      <code className="truncate font-mono text-xs" title={value}>
        {value}
      </code>
      <X className="shrink-0 text-muted" aria-hidden="true" />
    </Button>
  );
}
