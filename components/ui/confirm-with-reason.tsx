"use client";
import { useState, type ComponentProps } from "react";
import { Confirm } from "./confirm";
import { TextInput } from "./fields";

interface Props extends Omit<ComponentProps<typeof Confirm>, "entered" | "onConfirm"> {
  /** The label of the reason's field. */
  label?: string;
  /** Who reads the reason. */
  description: string;
  onConfirm(reason: string): void;
}

/** Asks for a reason before an action with consequences. The field is empty each time the dialog opens. */
export function ConfirmWithReason({ label = "Reason", description, onConfirm, children, ...rest }: Props) {
  const [reason, setReason] = useState("");
  const [wasOpen, setWasOpen] = useState(rest.isOpen);
  if (rest.isOpen !== wasOpen) {
    setWasOpen(rest.isOpen);
    if (rest.isOpen) setReason("");
  }
  return (
    <Confirm {...rest} entered={reason} onConfirm={() => onConfirm(reason)}>
      {children}
      <TextInput
        label={label}
        name="reason"
        value={reason}
        onChange={setReason}
        isRequired
        autoFocus
        description={description}
      />
    </Confirm>
  );
}
