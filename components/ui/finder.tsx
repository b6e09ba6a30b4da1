"use client";
import { ComboBox, Description, FieldError, Input, Label, ListBox } from "@heroui/react";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { useUnread } from "./unread-fields";
import { useListSide } from "./use-list-side";

interface Findable {
  id: string;
}

interface Props<T extends Findable> {
  label: string;
  name?: string;
  isRequired?: boolean;
  placeholder: string;
  description?: string;
  /** The error if text is typed but nothing chosen, e.g. "Choose a person from the list." */
  unchosen: string;
  value: T | null;
  onChange(value: T | null): void;
  /** Called with the text to search for; empty while the field shows a choice. */
  onSearch(text: string): void;
  /** The first page of results. */
  found: readonly T[] | undefined;
  /** How many further results there are, such as "12 more"; undefined if these are all. */
  more?: string | undefined;
  /** The page with all results. */
  allHref?: string;
  /** True if the results belong to an earlier text. None of them can be chosen then. */
  isStale: boolean;
  isFetching: boolean;
  hasFailed: boolean;
  /** Shown instead of "Nothing matches." */
  nothing?: ReactNode;
  nameOf(value: T): string;
  detailOf?(value: T): ReactNode;
}

/**
 * Finds one record among any number by a search on the server. The choice is kept when the list shows other results,
 * until other text is typed. A surrounding form is not submitted while text is typed and nothing chosen.
 */
export function Finder<T extends Findable>({
  label,
  name,
  isRequired = false,
  placeholder,
  description,
  unchosen,
  value,
  onChange,
  onSearch,
  found = [],
  more,
  allHref,
  isStale,
  isFetching,
  hasFailed,
  nothing,
  nameOf,
  detailOf,
}: Props<T>) {
  const [text, setText] = useState(value ? nameOf(value) : "");
  const [left, setLeft] = useState(false);
  // The list may have changed between the click and its event.
  const seen = useRef(new Map<string, T>());
  useEffect(() => {
    for (const each of found) seen.current.set(each.id, each);
    if (value) seen.current.set(value.id, value);
  }, [found, value]);
  const input = useRef<HTMLInputElement>(null);
  const side = useListSide(input);
  const isUnchosen = text !== "" && value === null;
  const tried = useUnread(isUnchosen, () => input.current?.focus());
  const saysUnchosen = isUnchosen && (left || tried);
  const atRest = value !== null && text === nameOf(value);
  const items = atRest && !found.some((each) => each.id === value.id) ? [value, ...found] : found;
  const type = (next: string) => {
    setText(next);
    setLeft(false);
    const isChosen = value !== null && next === nameOf(value);
    if (value && !isChosen) onChange(null);
    onSearch(isChosen ? "" : next.trim());
  };
  const choose = (id: string | null) => {
    const chosen = (id !== null && seen.current.get(id)) || value;
    if (!chosen || isStale) return;
    onChange(chosen);
    setText(nameOf(chosen));
    onSearch("");
  };
  // Otherwise the list would close before the results arrive.
  const waitForAnswer = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !isStale) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ComboBox<T>
      {...side.box}
      name={name}
      isRequired={isRequired}
      allowsEmptyCollection
      menuTrigger="focus"
      items={items}
      disabledKeys={isStale ? items.map((each) => each.id) : []}
      isInvalid={saysUnchosen ? true : undefined}
      inputValue={text}
      onInputChange={type}
      value={value?.id ?? null}
      onChange={(key) => choose(key === null ? null : String(key))}
      onBlur={() => setLeft(true)}
    >
      <Label>{label}</Label>
      <ComboBox.InputGroup>
        <Input ref={input} placeholder={placeholder} className="w-full" onKeyDownCapture={waitForAnswer} />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {description && <Description>{description}</Description>}
      <FieldError>{({ validationErrors }) => (saysUnchosen ? unchosen : validationErrors.join(" "))}</FieldError>
      <ComboBox.Popover {...side.popover} className="w-(--trigger-width)">
        <ListBox
          renderEmptyState={() => (
            <p className="px-3 py-4 text-center text-[0.8125rem] text-muted">
              {isFetching || isStale
                ? "Searching…"
                : hasFailed
                  ? "The search did not work. Check the connection and type again."
                  : nothing || "Nothing matches."}
            </p>
          )}
        >
          {(each: T) => (
            <ListBox.Item id={each.id} textValue={nameOf(each)}>
              <div className="min-w-0">
                <div className="truncate">
                  <bdi>{nameOf(each)}</bdi>
                </div>
                {detailOf && <div className="truncate text-xs text-muted">{detailOf(each)}</div>}
              </div>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          )}
        </ListBox>
        {more && allHref && !isStale && (
          <p className="border-t px-3 py-2 text-xs text-muted">
            {more}: type more, or{" "}
            {/* Pressing must not take the focus from the field, or the list would close before the click. */}
            <a
              href={allHref}
              target="_blank"
              rel="noopener"
              className="font-medium text-foreground underline"
              onMouseDown={(event) => event.preventDefault()}
            >
              see all
            </a>
          </p>
        )}
      </ComboBox.Popover>
    </ComboBox>
  );
}
