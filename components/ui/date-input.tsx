"use client";
import { Calendar, DateField, DatePicker, Description, FieldError, Label } from "@heroui/react";
import { parseDate } from "@internationalized/date";
import type { ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import { useRegion } from "./region";

interface Props {
  label: string;
  name?: string;
  /** Such as 2026-11-20; empty for none. */
  value: string;
  onChange(value: string): void;
  description?: ReactNode;
  /** The label is read out and not shown, where the place already says it. */
  compact?: boolean;
}

/** A day of the calendar, typed or picked, in the order of the organisation's locale. */
export function DateInput({ label, name, value, onChange, description, compact = false }: Props) {
  const { locale } = useRegion();
  return (
    <I18nProvider locale={locale}>
      <DatePicker name={name} aria-label={compact ? label : undefined} className={compact ? "" : "w-full"} value={value ? parseDate(value) : null} onChange={(date) => onChange(date?.toString() ?? "")}>
        {!compact && <Label>{label}</Label>}
        <DateField.Group fullWidth className={compact ? "h-8 min-h-8" : ""}>
          <DateField.Input>{(segment) => <DateField.Segment segment={segment} />}</DateField.Input>
          <DateField.Suffix>
            <DatePicker.Trigger>
              <DatePicker.TriggerIndicator />
            </DatePicker.Trigger>
          </DateField.Suffix>
        </DateField.Group>
        {description && <Description>{description}</Description>}
        <FieldError />
        <DatePicker.Popover>
          <Calendar aria-label={label}>
            <Calendar.Header>
              <Calendar.NavButton slot="previous" />
              <Calendar.Heading />
              <Calendar.NavButton slot="next" />
            </Calendar.Header>
            <Calendar.Grid>
              <Calendar.GridHeader>{(day) => <Calendar.HeaderCell>{day}</Calendar.HeaderCell>}</Calendar.GridHeader>
              <Calendar.GridBody>{(date) => <Calendar.Cell date={date} />}</Calendar.GridBody>
            </Calendar.Grid>
          </Calendar>
        </DatePicker.Popover>
      </DatePicker>
    </I18nProvider>
  );
}
