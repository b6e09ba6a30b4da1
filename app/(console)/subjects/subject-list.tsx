"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { FileInput, Images, ImageUp, Plus, SearchX, UserPen, Users } from "lucide-react";
import { useRouter } from "next/navigation";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useState } from "react";
import { DownloadButton } from "@/components/console/download-button";
import { streamed, useTRPC, useTRPCClient } from "@/components/trpc/client";
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
import { useSort } from "@/components/ui/use-sort";
import type { SubjectView } from "@/server/subjects/view";
import { useSession } from "../_shell/session";
import { SubjectDialog } from "./subject-dialog";

const column = columnsOf<SubjectView>();
const columns = column.columns([
  column.accessor("displayName", {
    header: "Name",
    meta: { phone: "title", sort: "displayName" },
    cell: ({ row: { original: s } }) =>
      s.erasedAt ? <span className="text-muted">Erased person</span> : <bdi>{s.displayName || s.externalId}</bdi>,
  }),
  column.accessor("externalId", {
    header: "Your id",
    meta: { sort: "externalId" },
    cell: ({ getValue, row: { original: s } }) =>
      s.erasedAt ? (
        <span className="text-muted">–</span>
      ) : (
        <code className="font-mono text-xs break-all text-muted">{getValue()}</code>
      ),
  }),
  column.accessor("email", {
    header: "E-mail",
    meta: { wide: true },
    cell: ({ getValue }) => <span className="break-all text-muted">{getValue() ?? "–"}</span>,
  }),
  column.accessor("status", { header: "Status", cell: ({ getValue }) => <Status of={getValue()} /> }),
  column.accessor("updatedAt", {
    header: "Changed",
    meta: { align: "end", sort: "updatedAt", sortFirst: "desc", sortWords: ["oldest first", "newest first"] },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

const statuses = [
  { value: "active", label: "Active" },
  { value: "inactive", label: "Inactive" },
] as const;
const filters = { q: parseAsString.withDefault(""), status: parseAsStringLiteral(["active", "inactive"]) };

/** What somebody can do who sees no people yet. */
function emptyWords(can: ReturnType<typeof useSession>["can"]): string {
  if (can("connectors:write")) return "Connect a file that your system exports, or add the first one by hand.";
  if (can("subjects:write"))
    return "Add the first one by hand, or ask an admin to connect a file that your system exports.";
  return "They appear here once an admin connects a file or somebody adds the first one. You may only look at them.";
}

export function SubjectList() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const router = useRouter();
  const { can } = useSession();
  const [{ q, status }, setFilters] = useQueryStates(filters);
  const at = usePage();
  const sort = useSort(["displayName", "externalId", "updatedAt"], () => void at.setPage(null));
  const [creating, setCreating] = useState(false);
  const narrow = (next: Partial<{ q: string; status: "active" | "inactive" | null }>) => {
    void setFilters(next);
    void at.setPage(null);
  };
  const narrowed = { ...(q && { q }), ...(status && { status }) };
  const query = useQuery(
    trpc.subjects.list.queryOptions(
      { ...at.range, ...narrowed, ...(sort.by && { sort: sort.by }) },
      { placeholderData: keepPreviousData },
    ),
  );
  // The limit is 1, because only the total is needed.
  const awaiting = useQuery(trpc.subjects.list.queryOptions({ awaitsPhotoApproval: "true", limit: 1, offset: 0 }));
  const renamed = useQuery(trpc.holders.nameRequests.queryOptions({ state: "waiting", limit: 1, offset: 0 }));
  const create = can("subjects:write") && (
    <Button onPress={() => setCreating(true)}>
      <Plus aria-hidden="true" /> Add person
    </Button>
  );
  return (
    <>
      <PageHeader
        title="People"
        description="Everyone who holds a credential or may get one. Your own systems send them through the API, or you add them here."
        actions={
          <>
            {awaiting.data?.total ? (
              <ButtonLink href="/subjects/photos" variant="outline">
                <ImageUp aria-hidden="true" /> {awaiting.data.total === 1 ? "1 photo" : `${awaiting.data.total} photos`}{" "}
                to approve
              </ButtonLink>
            ) : null}
            {renamed.data?.total ? (
              <ButtonLink href="/subjects/names" variant="outline">
                <UserPen aria-hidden="true" /> {renamed.data.total === 1 ? "1 name" : `${renamed.data.total} names`} to
                correct
              </ButtonLink>
            ) : null}
            {can("subjects:write") && (
              <ButtonLink href="/subjects/photo-imports" variant="outline">
                <Images aria-hidden="true" /> Photos from a ZIP
              </ButtonLink>
            )}
            {create}
          </>
        }
      />
      <ListFrame
        filters={
          <>
            <SearchBox
              label="Search people"
              placeholder="Name, e-mail or your id"
              value={q}
              onChange={(next) => narrow({ q: next || null! })}
              className="w-full sm:w-72"
            />
            <Filter
              label="Status"
              any="Any status"
              value={status}
              onChange={(next) => narrow({ status: next })}
              options={statuses}
              className="w-36"
            />
            <span className="ms-auto">
              <DownloadButton
                name="people"
                label="Download CSV"
                open={() => client.subjects.export.query({ ...narrowed, ...(sort.by && { sort: sort.by }) }, streamed)}
              />
            </span>
          </>
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["person", "people"]}
          />
        }
      >
        <DataTable
          label="People"
          columns={columns}
          query={query}
          sort={sort}
          rowKey={(s) => s.id}
          href={(s) => `/subjects/${s.id}`}
          empty={
            q || status ? (
              <Empty
                icon={SearchX}
                title="Nobody matches"
                action={
                  <Button variant="outline" onPress={() => narrow({ q: null!, status: null })}>
                    Clear filters
                  </Button>
                }
              >
                Nobody here has “{q || status}”. Part of a name, an e-mail address or your id for them is enough.
              </Empty>
            ) : (
              <Empty
                icon={Users}
                title="No people yet"
                action={
                  <>
                    {can("connectors:write") && (
                      <ButtonLink href="/connectors/new" variant="outline">
                        <FileInput aria-hidden="true" /> Connect a file
                      </ButtonLink>
                    )}
                    {create}
                  </>
                }
              >
                {emptyWords(can)}
              </Empty>
            )
          }
        />
      </ListFrame>
      <SubjectDialog isOpen={creating} onOpenChange={setCreating} onDone={(s) => router.push(`/subjects/${s.id}`)} />
    </>
  );
}
