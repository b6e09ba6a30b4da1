"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Finder } from "@/components/ui/finder";
import type { GroupView } from "@/server/groups/view";
import { useGroupNames } from "../_data/names";
import { wordsOfGroup } from "./words";

interface Props {
  /** Several groups, or one. */
  isList: boolean;
  /** Whether groups by rule are offered too. Rules themselves can only name groups of chosen people. */
  anyKind?: boolean;
  value: unknown;
  onChange(value: unknown): void;
}

/** Groups to choose, found by name. */
export function GroupsInput({ isList, anyKind = false, value, onChange }: Props) {
  const ids = (Array.isArray(value) ? value : [value]).filter(
    (id): id is string => typeof id === "string" && id !== "",
  );
  const lookedUp = useGroupNames(ids);
  const nameOf = (id: string) => wordsOfGroup(id, lookedUp(id));
  const write = (next: string[]) => onChange(isList ? next : (next[0] ?? ""));
  return (
    <div className="space-y-1.5">
      {ids.map((id) => (
        <div key={id} className="flex items-center justify-between gap-2 rounded-md border px-2 py-1 text-[0.8125rem]">
          <bdi className="min-w-0 truncate">{nameOf(id)}</bdi>
          <Button
            isIconOnly
            size="sm"
            variant="ghost"
            aria-label={`Remove ${nameOf(id)}`}
            onPress={() => write(ids.filter((each) => each !== id))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {(isList || ids.length === 0) && (
        <GroupFinder key={ids.length} anyKind={anyKind} onChoose={(id) => !ids.includes(id) && write([...ids, id])} />
      )}
    </div>
  );
}

function GroupFinder({ anyKind, onChoose }: { anyKind: boolean; onChoose(id: string): void }) {
  const trpc = useTRPC();
  const [text, search] = useState("");
  const q = useDeferredValue(text);
  const { data, isFetching, isError, isPlaceholderData } = useQuery(
    trpc.groups.list.queryOptions(
      { ...(q && { q }), ...(!anyKind && { kind: "static" }), limit: 8 },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Finder<GroupView>
      label="Group"
      placeholder="Name of a group"
      unchosen="Choose a group from the list."
      value={null}
      onChange={(group) => group && onChoose(group.id)}
      onSearch={search}
      found={data?.data}
      isStale={text !== q || isPlaceholderData}
      isFetching={isFetching}
      hasFailed={isError}
      nameOf={({ name }) => name}
      detailOf={({ memberCount }) => `${memberCount.toLocaleString("en")} people`}
    />
  );
}
