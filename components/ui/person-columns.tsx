import type { RowData } from "@tanstack/react-table";
import { columnsOf } from "./data-table";

/** The first columns of a list of people: the name, and the organisation's id of the person. */
export function personColumns<Row extends RowData & { displayName: string | null; externalId: string }>() {
  const column = columnsOf<Row>();
  return [
    column.display({
      id: "displayName",
      header: "Name",
      meta: { phone: "title" },
      cell: ({ row: { original } }) => <bdi>{original.displayName || original.externalId}</bdi>,
    }),
    column.display({
      id: "externalId",
      header: "Your id",
      cell: ({ row: { original } }) => (
        <code className="font-mono text-xs break-all text-muted">{original.externalId}</code>
      ),
    }),
  ] as const;
}
