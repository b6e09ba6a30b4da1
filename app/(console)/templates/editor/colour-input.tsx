"use client";
import { Button } from "@heroui/react";
import { RotateCcw } from "lucide-react";
import { useId, type ReactNode } from "react";

interface Props {
  label: string;
  value: string | undefined;
  /** The colour that is used while none is chosen. */
  fallback: string;
  onChange(value: string | undefined): void;
  /** A remark on the colour, shown below it. */
  note?: ReactNode;
}

export function ColourInput({ label, value, fallback, onChange, note }: Props) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-[0.8125rem] font-medium">
        {label}
      </label>
      <div className="flex h-9 items-center gap-2 rounded-field border border-field-border bg-field px-1.5 shadow-field focus-within:ring-2 focus-within:ring-focus">
        <input
          id={id}
          type="color"
          value={value ?? fallback}
          onChange={(event) => onChange(event.target.value)}
          className="h-6 w-8 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0 outline-none"
        />
        <span className={`font-mono text-xs ${value ? "" : "text-muted"}`}>{value ?? fallback}</span>
        {value && (
          <Button
            variant="ghost"
            size="sm"
            isIconOnly
            aria-label={`${label}: back to the default`}
            className="ms-auto size-6 min-w-6 md:size-6"
            onPress={() => onChange(undefined)}
          >
            <RotateCcw className="size-3.5!" aria-hidden="true" />
          </Button>
        )}
      </div>
      {note}
    </div>
  );
}
