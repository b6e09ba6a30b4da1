"use client";
import { ComboBox, Description, FieldError, Input, Label, ListBox } from "@heroui/react";
import { useRef, useState, type ReactNode } from "react";
import type { Option } from "./choice";
import { useUnread } from "./unread-fields";
import { useListSide } from "./use-list-side";

interface Props {
  label: string;
  name: string;
  value: string;
  onChange(value: string): void;
  options: readonly Option<string>[];
  description?: ReactNode;
  isReadOnly?: boolean;
}

const shownAtOnce = 50;

/**
 * A choice among many options: typing filters the list. Every typed word must occur in an option's label or
 * description, in any order. A surrounding form is not submitted while the field contains anything but an option.
 */
export function SearchChoice({ label, name, value, onChange, options, description, isReadOnly = false }: Props) {
  const labelOf = (of: string) => options.find((option) => option.value === of)?.label ?? of;
  const [text, setText] = useState(() => labelOf(value));
  const [seen, setSeen] = useState(value);
  // Another value was set from outside, for example one that was saved meanwhile.
  if (value !== seen) {
    setSeen(value);
    setText(labelOf(value));
  }
  const input = useRef<HTMLInputElement>(null);
  const side = useListSide(input);
  const isUnchosen = text !== labelOf(value);
  const tried = useUnread(isUnchosen, () => input.current?.focus());
  const words =
    text === labelOf(value)
      ? []
      : text
          .toLowerCase()
          .split(/[\s/_]+/)
          .filter(Boolean);
  const matching = options.filter((option) => {
    const haystack = `${option.label} ${option.description ?? ""} ${option.value}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
  const items =
    words.length === 0
      ? [...matching.filter((option) => option.value === value), ...matching.filter((option) => option.value !== value)]
      : matching;
  return (
    <ComboBox<Option<string>>
      {...side.box}
      name={name}
      isReadOnly={isReadOnly}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={isUnchosen && tried ? true : undefined}
      items={items.slice(0, shownAtOnce).map((option) => ({ ...option, id: option.value }))}
      inputValue={text}
      onInputChange={setText}
      value={value}
      onChange={(key) => {
        if (key === null) return;
        onChange(String(key));
        setText(labelOf(String(key)));
      }}
      onBlur={() => setText(labelOf(value))}
    >
      <Label>{label}</Label>
      <ComboBox.InputGroup>
        <Input ref={input} className="w-full" />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {description && <Description>{description}</Description>}
      <FieldError>
        {({ validationErrors }) => (isUnchosen && tried ? "Choose one from the list." : validationErrors.join(" "))}
      </FieldError>
      <ComboBox.Popover {...side.popover} className="w-(--trigger-width)">
        <ListBox
          renderEmptyState={() => <p className="px-3 py-4 text-center text-[0.8125rem] text-muted">Nothing matches.</p>}
        >
          {(option: Option<string>) => (
            <ListBox.Item id={option.value} textValue={option.label}>
              <div className="min-w-0">
                <div className="truncate">{option.label}</div>
                {option.description && <div className="truncate text-xs text-muted">{option.description}</div>}
              </div>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          )}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}
