"use client";
import { Tick } from "@/components/ui/confirm";

interface Props {
  value: boolean;
  onChange(repeatable: boolean): void;
}

/** Whether a person can hold several credentials of a template. Can be changed until the first publication. */
export function RepeatableInput({ value, onChange }: Props) {
  return (
    <Tick isSelected={value} onChange={onChange}>
      A person can hold several of these at a time
      <span className="mt-0.5 block text-xs text-muted">
        For what can be earned more than once, such as a prize. It cannot be changed once the template is published.
      </span>
    </Tick>
  );
}
