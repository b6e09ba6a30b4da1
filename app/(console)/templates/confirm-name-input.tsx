"use client";
import { Tick } from "@/components/ui/confirm";

interface Props {
  value: boolean;
  onChange(confirmName: boolean): void;
}

/** Whether holders of a template confirm their name before anything is issued. Can be changed at any time. */
export function ConfirmNameInput({ value, onChange }: Props) {
  return (
    <Tick isSelected={value} onChange={onChange}>
      Ask holders to confirm their name first
      <span className="mt-0.5 block text-xs text-muted">
        They get a link by e-mail and see the name as it will stand. The credential is issued once they confirm it.
      </span>
    </Tick>
  );
}
