"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Finder } from "@/components/ui/finder";
import type { RouterOutputs } from "@/server/trpc/root";
import { kindNames } from "./kinds";

export type PickedTemplate = RouterOutputs["templates"]["list"]["data"][number];

/** Finds a template to issue credentials from, by search. */
export function TemplatePicker({
  value,
  onChange,
}: {
  value: PickedTemplate | null;
  onChange(template: PickedTemplate | null): void;
}) {
  const trpc = useTRPC();
  const [text, search] = useState("");
  const q = useDeferredValue(text);
  const { data, isFetching, isError, isPlaceholderData } = useQuery(
    trpc.templates.list.queryOptions(
      { limit: 20, status: "published", ...(q && { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Finder
      label="Template"
      name="templateId"
      isRequired
      placeholder="Choose a template"
      unchosen="Choose a template from the list."
      value={value}
      onChange={onChange}
      onSearch={search}
      found={data?.data}
      isStale={text !== q || isPlaceholderData}
      isFetching={isFetching}
      hasFailed={isError}
      nameOf={(template) => template.name}
      detailOf={(template) => kindNames[template.kind]}
    />
  );
}
