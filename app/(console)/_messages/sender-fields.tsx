"use client";
import { TextInput } from "@/components/ui/fields";
import type { EnteredDefaults } from "./entered";

interface Props {
  value: EnteredDefaults;
  onChange(value: EnteredDefaults): void;
  /** The values that apply if a field is empty. */
  fallback: { senderName: string; replyTo: string };
  isReadOnly?: boolean;
}

/** The fields for a message's sender name and reply address. */
export function SenderFields({ value, onChange, fallback, isReadOnly = false }: Props) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <TextInput
        label="Sender's name"
        name="messages/senderName"
        value={value.senderName}
        onChange={(senderName) => onChange({ ...value, senderName })}
        placeholder={fallback.senderName}
        maxLength={60}
        isReadOnly={isReadOnly}
        description="Shown by mail programs. The address is always the one of this service."
      />
      <TextInput
        label="Replies go to"
        name="messages/replyTo"
        type="email"
        inputMode="email"
        value={value.replyTo}
        onChange={(replyTo) => onChange({ ...value, replyTo })}
        placeholder={fallback.replyTo}
        isReadOnly={isReadOnly}
        description="Without an address, the message says that nobody reads replies."
      />
    </div>
  );
}
