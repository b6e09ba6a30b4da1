"use client";
import { TextInput } from "@/components/ui/fields";
import { Tick } from "@/components/ui/confirm";
import { automaticKinds } from "@/server/message-texts/kinds";
import { kindWords, occasionWords } from "../../../messages/words";
import type { EnteredMessages } from "../../../_messages/entered";

interface Props {
  value: EnteredMessages;
  onChange(value: EnteredMessages): void;
  isReadOnly: boolean;
}

/** The choice of automatic messages, each with its occasion. */
export function AutomaticFields({ value, onChange, isReadOnly }: Props) {
  const set = (kind: (typeof automaticKinds)[number], wanted: boolean) =>
    onChange({
      ...value,
      automatic: automaticKinds.filter((each) => (each === kind ? wanted : value.automatic.includes(each))),
    });
  return (
    <div className="space-y-3">
      {automaticKinds.map((kind) => (
        <div key={kind}>
          <Tick
            isSelected={value.automatic.includes(kind)}
            onChange={(wanted) => set(kind, wanted)}
            isDisabled={isReadOnly}
          >
            {kindWords[kind]}
            <span className="block text-xs text-muted">{occasionWords[kind]}</span>
          </Tick>
          {kind === "expiring" && value.automatic.includes("expiring") && (
            <TextInput
              label="Days before the expiry"
              name="messages/expiringDays"
              type="number"
              inputMode="numeric"
              value={String(value.expiringDays || "")}
              onChange={(days) => onChange({ ...value, expiringDays: Number(days) })}
              isReadOnly={isReadOnly}
              className="mt-2 max-w-40 ms-7"
              description="1 to 365."
            />
          )}
        </div>
      ))}
    </div>
  );
}
