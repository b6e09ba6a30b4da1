"use client";
import { Description, FieldError, Label, ListBox, Select } from "@heroui/react";
import type { ReactNode } from "react";

export interface Option<V extends string> {
  value: V;
  label: string;
  description?: string;
}

interface Props<V extends string> {
  label: string;
  name?: string;
  value: V | null;
  onChange(value: V): void;
  options: readonly Option<V>[];
  description?: ReactNode;
  placeholder?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** Whether the label is only read by screen readers, because the context shows it already. */
  compact?: boolean;
  className?: string;
}

/** A choice of one among a few options. */
export function Choice<V extends string>({
  label,
  value,
  onChange,
  options,
  description,
  compact = false,
  placeholder = "Choose",
  className = "",
  ...rest
}: Props<V>) {
  return (
    <Select
      {...rest}
      aria-label={compact ? label : undefined}
      placeholder={placeholder}
      value={value}
      onChange={(key) => key !== null && onChange(key as V)}
      className={className}
    >
      {!compact && <Label>{label}</Label>}
      <Select.Trigger className={compact ? "h-8 min-h-8 items-center py-0" : ""}>
        <Select.Value>{({ selectedText, defaultChildren }) => selectedText || defaultChildren}</Select.Value>
        <Select.Indicator />
      </Select.Trigger>
      {description && <Description>{description}</Description>}
      <FieldError />
      <Select.Popover>
        <ListBox>
          {options.map((option) => (
            <ListBox.Item key={option.value} id={option.value} textValue={option.label}>
              <div className="min-w-0">
                <div>{option.label}</div>
                {option.description && <div className="text-xs text-muted">{option.description}</div>}
              </div>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </Select.Popover>
    </Select>
  );
}
