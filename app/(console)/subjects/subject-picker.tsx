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
  /** Whether inactive people can be chosen too. */
  anyStatus?: boolean;
  description?: string;
}

const shownAtOnce = 8;

/** Finds a subject by search. Offers only active subjects unless told otherwise. */
export function SubjectPicker({
  label = "Person",
  isRequired = false,
  value,
  onChange,
  anyStatus = false,
  description = anyStatus ? "" : "Active people only.",
}: Props) {
  const trpc = useTRPC();
  const [text, search] = useState("");
  const q = useDeferredValue(text);
  const { data, isFetching, isError, isPlaceholderData } = useQuery(
    trpc.subjects.find.queryOptions(
      { q, limit: shownAtOnce, ...(!anyStatus && { status: "active" }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const isNobody = !anyStatus && q !== "" && data?.data.length === 0 && !isPlaceholderData;
  const inactive = useQuery(
    trpc.subjects.find.queryOptions({ q, limit: 1, status: "inactive" }, { enabled: isNobody }),
  );
  return (
    <Finder
      label={label}
      name="subject"
      isRequired={isRequired}
      placeholder="Name, e-mail or your id"
      description={description}
      unchosen="Choose a person from the list."
      value={value}
      onChange={onChange}
      onSearch={search}
      found={data?.data}
      more={text ? moreWords(data) : undefined}
      allHref={`/subjects?${new URLSearchParams({ q: text })}`}
      isStale={text !== q || isPlaceholderData}
      isFetching={isFetching}
      hasFailed={isError}
      nothing={isNobody && inactive.data?.data[0] && <Inactive subject={inactive.data.data[0]} />}
      nameOf={nameOf}
      detailOf={(subject) => subject.email ?? subject.externalId}
    />
  );
}

function Inactive({ subject }: { subject: SubjectView }) {
  return (
    <>
      <bdi className="font-medium">{nameOf(subject)}</bdi> is inactive. Set the person to active first.
    </>
  );
}

const nameOf = (subject: SubjectView) => subject.displayName || subject.externalId;

/** How many further subjects match. */
function moreWords(found: { data: readonly unknown[]; total: number | null } | undefined): string | undefined {
  if (!found) return undefined;
  if (found.total === null) return "Many more";
  const more = found.total - found.data.length;
  return more > 0 ? `${more} more` : undefined;
}
