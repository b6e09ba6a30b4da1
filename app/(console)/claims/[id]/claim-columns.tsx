import { Button } from "@heroui/react";
import { columnsOf } from "@/components/ui/data-table";
import { Link } from "@/components/ui/link";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { ClaimView } from "@/server/claims/claim-view";
import type { ClaimLinkView } from "@/server/claims/view";
import { enteredPath, readPath } from "@/server/templates/binding";
import { fieldsOf, type Design } from "@/server/templates/design";
import { inLocale } from "@/server/templates/fields";

const column = columnsOf<ClaimView>();

/** A value that claimants enter. */
interface EntryField {
  label: string;
  path: string[];
}

/** The fields of the link's form, in order: those of the link, or else those of the design. */
export function entryFields(chosen: ClaimLinkView["fields"], design: Design | undefined): EntryField[] {
  const shown = design ? fieldsOf(design) : [];
  return (chosen ?? shown).flatMap(({ binding, label }) => {
    const path = binding === undefined ? null : enteredPath(binding);
    if (!path) return [];
    const text = label ?? shown.find((field) => field.binding === binding)?.label;
    return [
      { path, label: text === undefined ? path.at(-1)! : typeof text === "string" ? text : inLocale(text, "en") },
    ];
  });
}

/** The values that a claimant entered besides the name. Values of fields that were removed from the form come last. */
function Entered({ data, fields }: { data: Record<string, unknown>; fields: EntryField[] }) {
  const known = fields.flatMap(({ label, path }) => {
    const value = readPath(data, path);
    return value === null || typeof value === "object" ? [] : [{ label, value: String(value), key: path.join(".") }];
  });
  const other = leaves(data, []).filter(({ key }) => !known.some((entry) => entry.key === key));
  const all = [...known, ...other];
  if (all.length === 0) return <span className="text-muted">–</span>;
  return (
    <dl className="space-y-0.5">
      {all.map(({ key, label, value }) => (
        <div key={key} className="wrap-anywhere">
          <dt className="inline text-muted">{label}: </dt>
          <dd className="inline">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const leaves = (data: Record<string, unknown>, path: string[]): { key: string; label: string; value: string }[] =>
  Object.entries(data).flatMap(([name, value]) =>
    typeof value === "object" && value !== null
      ? leaves(value as Record<string, unknown>, [...path, name])
      : [{ key: [...path, name].join("."), label: name, value: String(value) }],
  );

interface Options {
  fields: EntryField[];
  /** Absent if the reader may not decide. */
  onApprove?(claim: ClaimView): void;
  onReject?(claim: ClaimView): void;
}

/** The columns of the claims of a link. */
export const claimColumns = ({ fields, onApprove, onReject }: Options) =>
  column.columns([
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
      cell: ({ getValue }) => <Entered data={getValue()} fields={fields} />,
    }),
    column.accessor("state", {
      header: "State",
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
    ...(onApprove && onReject
      ? [
          column.display({
            id: "decide",
            header: () => <span className="sr-only">Decide</span>,
            meta: { align: "end" },
            cell: ({ row: { original } }) =>
              original.state === "waiting" && (
                <span className="relative flex justify-end gap-1.5">
                  <Button
                    size="sm"
                    aria-label={`Approve ${original.displayName || original.email}`}
                    onPress={() => onApprove(original)}
                  >
                    Approve
                  </Button>
                  <Button
                    size="sm"
                    variant="outline"
                    aria-label={`Reject ${original.displayName || original.email}`}
                    onPress={() => onReject(original)}
                  >
                    Reject
                  </Button>
                </span>
              ),
          }),
        ]
      : []),
  ]);
