"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Award, Plus, SearchX } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { versionStatuses, type VersionStatus } from "@/server/templates/states";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../_shell/session";

const column = columnsOf<RouterOutputs["achievements"]["list"]["data"][number]>();
const columns = column.columns([
  column.accessor("name", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
  }),
  column.accessor("status", { header: "Status", cell: ({ getValue }) => <Status of={getValue()} /> }),
  column.accessor("currentVersion", {
    header: "Current version",
    cell: ({ getValue }) => getValue() ?? <span className="text-muted">None</span>,
  }),
  column.accessor("updatedAt", {
    header: "Changed",
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

const statusOptions = [
  { value: "published", label: "Published" },
  { value: "draft", label: "Draft" },
  { value: "archived", label: "Archived" },
] as const;
const filters = { q: parseAsString.withDefault(""), status: parseAsStringLiteral(versionStatuses) };

export function AchievementList() {
  const trpc = useTRPC();
  const { can } = useSession();
  const [{ q, status }, setFilters] = useQueryStates(filters);
  const at = usePage();
  const narrow = (next: { q?: string | null; status?: VersionStatus | null }) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const query = useQuery(
    trpc.achievements.list.queryOptions(
      { ...at.range, ...(q && { q }), ...(status && { status }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const create = can("achievements:write") && (
    <ButtonLink href="/achievements/new">
      <Plus aria-hidden="true" /> New achievement
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Achievements"
        description="What a degree, a course or a badge is awarded for. Each academic credential states one, in a standard format that any verifier can read."
        actions={create}
      />
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Search achievements"
              placeholder="Name"
              value={q}
              onChange={(next) => narrow({ q: next || null })}
              className="w-full sm:w-64"
            />
            <Filter
              label="Status"
              any="Any status"
              value={status}
              onChange={(next) => narrow({ status: next })}
              options={statusOptions}
              className="w-36"
            />
          </>
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["achievement", "achievements"]}
          />
        }
      >
        <DataTable
          label="Achievements"
          columns={columns}
          query={query}
          rowKey={(achievement) => achievement.id}
          href={(achievement) => `/achievements/${achievement.id}`}
          empty={
            q || status ? (
              <Empty
                icon={SearchX}
                title="No achievement matches"
                action={
                  <Button variant="outline" onPress={() => narrow({ q: null, status: null })}>
                    Clear filters
                  </Button>
                }
              />
            ) : (
              <Empty icon={Award} title="No achievements yet" action={create}>
                Begin with what people earn here: a degree, a course, a certificate. Then choose it in an academic
                template.
              </Empty>
            )
          }
        />
      </ListFrame>
    </>
  );
}
