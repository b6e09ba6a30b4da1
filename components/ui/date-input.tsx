"use client";
import { Button, Calendar, Description, FieldError, InputGroup, Label, Popover, TextField } from "@heroui/react";
import { parseDate } from "@internationalized/date";
import { CalendarDays } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { I18nProvider } from "react-aria-components";
import { dayPattern, readDay, sayDay, writeDay } from "./read-day";
import { useRegion } from "./region";
import { useUnread } from "./unread-fields";

interface Props {
  label: string;
  name?: string;
  /** A day such as 2026-11-20; empty for none. */
  value: string;
  /** Called with "" while the text is not a complete date. A surrounding form cannot be submitted meanwhile. */
  onChange(value: string): void;
  description?: ReactNode;
  /** Whether the label is only read by screen readers, because the context shows it already. */
  compact?: boolean;
  isRequired?: boolean;
}

/**
 * A calendar day, typed in the order of the organisation's locale or picked. The typed text stays unchanged, and is
 * shown in words below.
 */
export function DateInput({ label, name, value, onChange, description, compact = false, isRequired = false }: Props) {
  const { locale } = useRegion();
  const [text, setText] = useState(() => written(value, locale));
  const [seen, setSeen] = useState(value);
  const [left, setLeft] = useState(false);
  const [picking, setPicking] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const read = readDay(text, locale);
  // Another value was set from outside, for example by a reload.
  if (value !== seen) {
    setSeen(value);
    if (value !== (read.day ?? "")) setText(written(value, locale));
  }
  const problem = read.problem ?? (isRequired && !read.day ? "Enter a day." : null);
  const tried = useUnread(problem !== null, () => input.current?.focus());
  const shownProblem = problem && (left || tried) ? problem : null;
  const type = (next: string) => {
    setText(next);
    setLeft(false);
    const day = readDay(next, locale).day ?? "";
    if (day !== value) onChange(day);
  };
  return (
    <TextField
      fullWidth={!compact}
      aria-label={compact ? label : undefined}
      {...(name && { name })}
      value={text}
      onChange={type}
      onBlur={() => setLeft(true)}
      isRequired={isRequired}
      isInvalid={shownProblem ? true : undefined}
      className={compact ? "w-40" : ""}
    >
      {!compact && <Label>{label}</Label>}
      <InputGroup fullWidth className={compact ? "h-8 min-h-8" : ""}>
        <InputGroup.Input ref={input} placeholder={dayPattern(locale)} autoComplete="off" className="min-w-0" />
        <InputGroup.Suffix className="pe-1">
          <Popover isOpen={picking} onOpenChange={setPicking}>
            <Button variant="ghost" size="sm" isIconOnly aria-label={`Pick a day: ${label}`} className="text-muted">
              <CalendarDays className="size-4" aria-hidden="true" />
            </Button>
            <Popover.Content placement="bottom end">
              <Popover.Dialog aria-label={label}>
                <I18nProvider locale={locale}>
                  <Calendar
                    aria-label={label}
                    value={read.day ? parseDate(read.day) : null}
                    onChange={(day) => {
                      type(written(day.toString(), locale));
                      setPicking(false);
                    }}
                  >
                    <Calendar.Header>
                      <Calendar.NavButton slot="previous" />
                      <Calendar.Heading />
                      <Calendar.NavButton slot="next" />
                    </Calendar.Header>
                    <Calendar.Grid>
                      <Calendar.GridHeader>
                        {(day) => <Calendar.HeaderCell>{day}</Calendar.HeaderCell>}
                      </Calendar.GridHeader>
                      <Calendar.GridBody>{(date) => <Calendar.Cell date={date} />}</Calendar.GridBody>
                    </Calendar.Grid>
                  </Calendar>
                </I18nProvider>
              </Popover.Dialog>
            </Popover.Content>
          </Popover>
        </InputGroup.Suffix>
      </InputGroup>
      {read.day && !compact && (
        <p className="text-xs tabular-nums" role="status">
          {sayDay(read.day, locale)}
        </p>
      )}
      {description && <Description>{description}</Description>}
      <FieldError>{({ validationErrors }) => shownProblem ?? validationErrors.join(" ")}</FieldError>
    </TextField>
  );
}

function written(day: string, locale: string): string {
  return day && writeDay(day, locale);
}
