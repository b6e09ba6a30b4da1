"use client";
import { ComboBox, Description, FieldError, Input, Label, ListBox } from "@heroui/react";
import { useEffect, useRef, useState, type ReactNode } from "react";

interface Findable {
  id: string;
}

interface Props<T extends Findable> {
  label: string;
  name?: string;
  isRequired?: boolean;
  placeholder: string;
  description?: string;
  /** Said where something is typed and nothing chosen, e.g. "Choose a person from the list." */
  unchosen: string;
  value: T | null;
  onChange(value: T | null): void;
  /** Called with what to look for; empty while a choice stands in the field. */
  onSearch(text: string): void;
  /** What was found for it, a page of what there is. */
  found: readonly T[] | undefined;
  isFetching: boolean;
  hasFailed: boolean;
  nameOf(value: T): string;
  detailOf?(value: T): ReactNode;
}

/**
 * Finds one among any number: what is typed is searched for on the server. What was chosen stays chosen when the list
 * shows others, and until the field is emptied or something else is chosen.
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
  isFetching,
  hasFailed,
  nameOf,
  detailOf,
}: Props<T>) {
  const [text, setText] = useState(value ? nameOf(value) : "");
  const [left, setLeft] = useState(false);
  // The list may have moved on between the click and its event.
  const seen = useRef(new Map<string, T>());
  useEffect(() => {
    for (const each of found) seen.current.set(each.id, each);
    if (value) seen.current.set(value.id, value);
  }, [found, value]);
  const atRest = value !== null && text === nameOf(value);
  const items = atRest && !found.some((each) => each.id === value.id) ? [value, ...found] : found;
  const type = (next: string) => {
    setText(next);
    setLeft(false);
    if (next === "") onChange(null);
    onSearch(value && next === nameOf(value) ? "" : next.trim());
  };
  const choose = (id: string | null) => {
    const chosen = (id !== null && seen.current.get(id)) || value;
    if (!chosen) return;
    onChange(chosen);
    setText(nameOf(chosen));
    onSearch("");
  };
  return (
    <ComboBox<T>
      name={name}
      isRequired={isRequired}
      allowsEmptyCollection
      menuTrigger="focus"
      items={items}
      inputValue={text}
      onInputChange={type}
      value={value?.id ?? null}
      onChange={(key) => choose(key === null ? null : String(key))}
      onBlur={() => setLeft(true)}
    >
      <Label>{label}</Label>
      <ComboBox.InputGroup>
        <Input placeholder={placeholder} className="w-full" />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      {left && text !== "" && !value ? (
        <Description className="text-danger">{unchosen}</Description>
      ) : (
        description && <Description>{description}</Description>
      )}
      <FieldError />
      <ComboBox.Popover>
        <ListBox
          renderEmptyState={() => (
            <p className="px-3 py-4 text-center text-[0.8125rem] text-muted">
              {isFetching
                ? "Searching…"
                : hasFailed
                  ? "The search did not work. Check the connection and type again."
                  : "Nothing matches."}
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
      </ComboBox.Popover>
    </ComboBox>
  );
}
