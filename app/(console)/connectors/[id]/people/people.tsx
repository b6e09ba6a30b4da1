"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Users, UsersRound } from "lucide-react";
import { useQueryState } from "nuqs";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { useSort } from "@/components/ui/use-sort";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../../_shell/session";
import { count, people } from "../../words";

type User = RouterOutputs["connectors"]["directoryUsers"]["data"][number];
type Group = RouterOutputs["connectors"]["directoryGroups"]["data"][number];

const user = columnsOf<User>();
const userColumns = user.columns([
  user.accessor("displayName", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => (
      <>
        <bdi>{original.displayName || original.userName}</bdi>
        {original.adopted && <span className="block text-xs text-muted">Taken over: was here before</span>}
      </>
    ),
  }),
  user.accessor("userName", {
    header: "Signs in there as",
    meta: { sort: "userName" },
    cell: ({ getValue }) => <bdi className="text-muted wrap-anywhere">{getValue()}</bdi>,
  }),
  user.accessor("activeThere", {
    header: "There",
    cell: ({ row: { original } }) =>
      original.removal === "deleted" ? (
        <Status of="removed" label="Deleted" />
      ) : (
        <Status of={original.activeThere ? "active" : "inactive"} />
      ),
  }),
  user.accessor("status", {
    header: "Here",
    cell: ({ row: { original } }) => (
      <span className="inline-flex flex-wrap gap-1">
        <Status of={original.status} />
        {original.removal && <Status of="held" label="Removal waits for approval" />}
      </span>
    ),
  }),
  user.accessor("updatedAt", {
    header: "Last written",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

const group = columnsOf<Group>();
const groupColumns = group.columns([
  group.accessor("displayName", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ row: { original } }) => (
      <>
        <bdi className="wrap-anywhere">{original.displayName}</bdi>
        {original.deletedThere && <span className="block text-xs text-muted">Deleted in the directory</span>}
      </>
    ),
  }),
  group.accessor("members", {
    header: "Members here",
    cell: ({ row: { original } }) => (
      <span className="inline-flex flex-wrap items-center gap-1">
        {people(original.members)}
        {original.leaving > 0 && (
          <Status
            of="held"
            label={original.leaving === 1 ? "1 removal waits" : `${count(original.leaving)} removals wait`}
          />
        )}
      </span>
    ),
  }),
  group.accessor("awaited", {
    header: "Not sent yet",
    cell: ({ getValue }) => <span className="text-muted">{getValue() > 0 ? count(getValue()) : "–"}</span>,
  }),
  group.accessor("updatedAt", {
    header: "Last written",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);

/** Lists the users and groups of a directory as the directory sent them. */
export function DirectoryPeople({ id }: { id: string }) {
  const { can } = useSession();
  return (
    <div className="space-y-5">
      {can("subjects:read") && <UserList id={id} />}
      {can("groups:read") && <GroupList id={id} />}
    </div>
  );
}

function UserList({ id }: { id: string }) {
  const trpc = useTRPC();
  const at = usePage();
  const [q, setQ] = useQueryState("q", { defaultValue: "" });
  const sort = useSort(["userName"], () => void at.setPage(null));
  const query = useQuery(
    trpc.connectors.directoryUsers.queryOptions(
      { id, q, ...at.range, ...(sort.by && { sort: sort.by }) },
      { placeholderData: keepPreviousData },
    ),
  );
  return (
    <Panel
      flush
      title="People"
      description="The people that the directory has sent, with their status there and here, newest first unless you sort them. Whoever it removed stays listed while the removal waits for approval."
      actions={
        <SearchBox
          label="Search people of the directory"
          placeholder="Name or sign-in name"
          className="w-full sm:w-56"
          value={q}
          onChange={(value) => {
            void setQ(value || null);
            void at.setPage(null);
          }}
        />
      }
    >
      <DataTable
        label="People of the directory"
        columns={userColumns}
        query={query}
        sort={sort}
        rowKey={(row) => row.subjectId}
        href={(row) => `/subjects/${row.subjectId}`}
        empty={
          <Empty icon={Users} title={q ? "Nobody found" : "Nobody yet"}>
            {q
              ? "Try a part of the name."
              : "The directory has sent nobody yet. Check its address and token on the tab Set-up."}
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["person", "people"]}
        label="Pages of people"
      />
    </Panel>
  );
}

function GroupList({ id }: { id: string }) {
  const trpc = useTRPC();
  const at = usePage(25, "groups");
  const query = useQuery(
    trpc.connectors.directoryGroups.queryOptions({ id, ...at.range }, { placeholderData: keepPreviousData }),
  );
  return (
    <Panel
      flush
      title="Groups"
      description="A member whom the directory has not sent yet joins once it does. Groups within groups are not taken over."
    >
      <DataTable
        label="Groups of the directory"
        columns={groupColumns}
        query={query}
        rowKey={(row) => row.groupId}
        href={(row) => `/groups/${row.groupId}`}
        empty={
          <Empty icon={UsersRound} title="No group yet">
            The directory has sent no group. Most directories send only the groups that you assign there.
          </Empty>
        }
      />
      <Pager
        at={at}
        total={query.data?.total}
        isPlaceholder={query.isPlaceholderData}
        noun={["group", "groups"]}
        label="Pages of groups"
      />
    </Panel>
  );
}
