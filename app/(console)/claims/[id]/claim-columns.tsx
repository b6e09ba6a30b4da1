import { columnsOf } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { ClaimView } from "@/server/claims/claim-view";

const column = columnsOf<ClaimView>();

/** Joins the values that a claimant entered besides the name to one line. */
const enteredIn = (data: Record<string, unknown>): string =>
  Object.values(data)
    .map((value) =>
      typeof value === "object" && value !== null ? enteredIn(value as Record<string, unknown>) : String(value),
    )
    .join(", ");

/** The columns of the claims of a link. */
export const claimColumns = column.columns([
  column.accessor("displayName", {
    header: "Name",
    meta: { phone: "title" },
    cell: ({ row: { original }, getValue }) =>
      original.subjectId ? (
        <Link href={`/subjects/${original.subjectId}`} className="hover:underline">
          <bdi>{getValue() || original.email}</bdi>
        </Link>
      ) : (
        <bdi>{getValue() || original.email}</bdi>
      ),
  }),
  column.accessor("email", {
    header: "E-mail",
    cell: ({ getValue }) => <span className="wrap-anywhere text-muted">{getValue()}</span>,
  }),
  column.accessor("data", {
    header: "Entered",
    meta: { wide: true },
    cell: ({ getValue }) => <span className="line-clamp-2 wrap-anywhere">{enteredIn(getValue()) || "–"}</span>,
  }),
  column.accessor("state", {
    header: "State",
    meta: { phone: "corner" },
    cell: ({ row: { original }, getValue }) => (
      <span title={original.reason ?? undefined}>
        <Status of={getValue()} />
      </span>
    ),
  }),
  column.accessor("createdAt", {
    header: "Claimed",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted">
        <Time at={getValue()} />
      </span>
    ),
  }),
]);
