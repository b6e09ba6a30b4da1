import { columnsOf } from "@/components/ui/data-table";
import { Status } from "@/components/ui/status";
import { LastDay } from "@/components/ui/time";
import type { ClaimLinkView } from "@/server/claims/view";
import { TemplateName } from "../templates/template-name";
import { placesOf } from "./words";

const column = columnsOf<ClaimLinkView>();

/** The columns of the list of claim links. */
export const claimLinkColumns = column.columns([
  column.accessor("name", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ getValue }) => <bdi>{getValue()}</bdi>,
  }),
  column.accessor("templateId", { header: "Template", cell: ({ getValue }) => <TemplateName id={getValue()} /> }),
  column.accessor("state", {
    header: "State",
    cell: ({ getValue }) => <Status of={getValue()} />,
  }),
  column.accessor("placesTaken", {
    header: "Places taken",
    meta: { align: "end" },
    cell: ({ row: { original } }) => <span className="tabular-nums">{placesOf(original)}</span>,
  }),
  column.accessor("waitingCount", {
    header: "Waiting",
    meta: { align: "end" },
    cell: ({ getValue }) => <span className="tabular-nums">{getValue().toLocaleString("en")}</span>,
  }),
  column.accessor("expiresAt", {
    header: "Last day",
    meta: { align: "end", wide: true },
    cell: ({ getValue }) => <LastDay end={getValue()} absent="No end" />,
  }),
]);
