"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Boxes, Plus, SearchX } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { useSort } from "@/components/ui/use-sort";
import { useSession } from "../_shell/session";
import { groupColumns } from "./group-columns";
import { GroupDialog } from "./group-dialog";
import { kindFilters } from "./kinds";

const filters = { q: parseAsString.withDefault(""), kind: parseAsStringLiteral(["static", "rule"]) };

export function GroupList() {
  const trpc = useTRPC();
  const router = useRouter();
  const { can } = useSession();
  const [{ q, kind }, setFilters] = useQueryStates(filters);
  const at = usePage();
  const sort = useSort(["name", "updatedAt"], () => void at.setPage(null));
  const [creating, setCreating] = useState(false);
  const narrow = (next: Partial<{ q: string; kind: "static" | "rule" | null }>) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const query = useQuery(
    trpc.groups.list.queryOptions(
      { ...at.range, ...(q && { q }), ...(kind && { kind }), ...(sort.by && { sort: sort.by }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const create = can("groups:write") && (
    <Button onPress={() => setCreating(true)}>
      <Plus aria-hidden="true" /> Create group
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Groups"
        description="People who belong together: a class, a department, an intake. Chosen one by one, by a rule, or in a file or directory that you connect."
        actions={create}
      />
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Search groups"
              placeholder="Name, description or your id"
              value={q}
              onChange={(next) => narrow({ q: next || null! })}
              className="w-full sm:w-72"
            />
            <Filter
              label="Members"
              any="Any members"
              value={kind}
              onChange={(next) => narrow({ kind: next })}
              options={kindFilters}
              className="w-40"
            />
          </>
        }
        pager={
          <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["group", "groups"]} />
        }
      >
        <DataTable
          label="Groups"
          columns={groupColumns}
          query={query}
          sort={sort}
          rowKey={(group) => group.id}
          href={(group) => `/groups/${group.id}`}
          empty={
            q || kind ? (
              <Empty
                icon={SearchX}
                title="No group matches"
                action={
                  <Button variant="outline" onPress={() => narrow({ q: null!, kind: null })}>
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <Empty icon={Boxes} title="No groups yet" action={create}>
                A group gathers people, and other groups can build on it by their rules.
              </Empty>
            )
          }
        />
      </ListFrame>
      <GroupDialog isOpen={creating} onOpenChange={setCreating} onDone={({ id }) => router.push(`/groups/${id}`)} />
    </>
  );
}
