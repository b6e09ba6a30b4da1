"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Finder } from "@/components/ui/finder";
import type { SubjectView } from "@/server/subjects/view";

interface Props {
  label?: string;
  isRequired?: boolean;
  value: SubjectView | null;
  onChange(subject: SubjectView | null): void;
}

/** Finds an active subject among any number. */
export function SubjectPicker({ label = "Person", isRequired = false, value, onChange }: Props) {
  const trpc = useTRPC();
  const [text, search] = useState("");
  const q = useDeferredValue(text);
  const { data, isFetching, isError } = useQuery(
    trpc.subjects.list.queryOptions(
      { limit: 8, status: "active", ...(q && { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Finder
      label={label}
      name="subject"
      isRequired={isRequired}
      placeholder="Name, e-mail or your id"
      description="Active people only."
      unchosen="Choose a person from the list."
      value={value}
      onChange={onChange}
      onSearch={search}
      found={data?.data}
      isFetching={isFetching}
      hasFailed={isError}
      nameOf={nameOf}
      detailOf={(subject) => subject.email ?? subject.externalId}
    />
  );
}

const nameOf = (subject: SubjectView) => subject.displayName || subject.externalId;
