"use client";
import { Button } from "@heroui/react";
import { X } from "lucide-react";

interface Props {
  label: string;
  /** An id. */
  value: string;
  /** The name of the record with that id, if known. */
  name?: string | undefined;
  onClear(): void;
}

/** A filter by one record that no menu contains, such as an id from a link. Pressing it removes the filter. */
export function Narrowed({ label, value, name, onClear }: Props) {
  return (
    <Button
      variant="outline"
      aria-label={`${label} ${name ? `${name}, ` : ""}${value}: clear this filter`}
      onPress={onClear}
      className="h-8 max-w-full min-w-0 md:h-8"
    >
      <span className="shrink-0 font-normal text-muted">{label}</span>
      {name && <bdi className="max-w-48 truncate">{name}</bdi>}
      <code className={`truncate font-mono text-xs ${name ? "max-w-32 text-muted" : ""}`} title={value}>
        {value}
      </code>
      <X className="shrink-0 text-muted" aria-hidden="true" />
    </Button>
  );
}
