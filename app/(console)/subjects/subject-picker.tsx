"use client";
import { ComboBox, Description, FieldError, Input, Label, ListBox } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";

export interface PickedSubject {
  id: string;
  displayName: string;
  externalId: string;
  email: string | null;
}

/** Finds a subject among any number: what is typed is searched for on the server. */
export function SubjectPicker({ label = "Subject", isRequired = false, value, onChange }: { label?: string; isRequired?: boolean; value: PickedSubject | null; onChange(subject: PickedSubject | null): void }) {
  const trpc = useTRPC();
  const [text, setText] = useState("");
  const q = useDeferredValue(value && text === nameOf(value) ? "" : text.trim());
  const { data, isFetching } = useQuery(trpc.subjects.list.queryOptions({ limit: 8, status: "active", ...(q && { q }) }, { placeholderData: keepPreviousData }));
  return (
    <ComboBox<PickedSubject>
      name="subject"
      isRequired={isRequired}
      allowsEmptyCollection
      menuTrigger="focus"
      items={data?.data ?? []}
      inputValue={text}
      onInputChange={setText}
      value={value?.id ?? null}
      onChange={(id) => {
        const found = data?.data.find((s) => s.id === id) ?? null;
        onChange(found);
        if (found) setText(nameOf(found));
      }}
    >
      <Label>{label}</Label>
      <ComboBox.InputGroup>
        <Input placeholder="Name, e-mail or external id" className="w-full" />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      <Description>Active subjects only.</Description>
      <FieldError />
      <ComboBox.Popover>
        <ListBox renderEmptyState={() => <p className="px-3 py-4 text-center text-[0.8125rem] text-muted">{isFetching ? "Searching…" : "Nobody matches."}</p>}>
          {(s: PickedSubject) => (
            <ListBox.Item id={s.id} textValue={nameOf(s)}>
              <div className="min-w-0">
                <div className="truncate">{nameOf(s)}</div>
                <div className="truncate text-xs text-muted">{s.email ?? s.externalId}</div>
              </div>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          )}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}

const nameOf = (s: PickedSubject) => s.displayName || s.externalId;
