import { columnsOf } from "@/components/ui/data-table";
import { Time } from "@/components/ui/time";
import type { GroupView } from "@/server/groups/view";
import { originOf } from "./kinds";

const column = columnsOf<GroupView>();

/** The columns of a list of groups. */
export const groupColumns = column.columns([
  column.accessor("name", {
    header: "Name",
    meta: { phone: "title", sort: "name" },
    cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
  }),
  column.accessor("kind", {
    header: "Members",
    cell: ({ row: { original } }) => (
      <span className="block truncate text-muted sm:max-w-64" title={originOf(original)}>
        <bdi>{originOf(original)}</bdi>
      </span>
    ),
  }),
  column.accessor("memberCount", {
    header: "People",
    meta: { align: "end" },
    cell: ({ getValue }) => <span className="tabular-nums">{getValue().toLocaleString("en")}</span>,
  }),
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
