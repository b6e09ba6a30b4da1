"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ScrollText, SearchX } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Filter } from "@/components/ui/filter";
import { ListFrame } from "@/components/ui/list-frame";
import { Narrowed } from "@/components/ui/narrowed";
import { PageHeader } from "@/components/ui/page-header";
import { Pager, usePage } from "@/components/ui/pager";
import { Time } from "@/components/ui/time";
import { useActorOptions } from "../_data/actor-options";
import { useActorNames, usePeople, useThingName, useThingNames } from "../_data/names";
import { TemplateName } from "../templates/template-name";
import { AuditTabs } from "./audit-tabs";
import type { AuditEntry } from "./entry";
import { EntryPanel } from "./entry-panel";
import { inWords } from "./words";

type Row = AuditEntry & { about: string | undefined; by: string };

const column = columnsOf<Row>();
const columns = column.columns([
  column.accessor("action", {
    header: "Action",
    meta: { phone: "title" },
    cell: ({ getValue }) => inWords(getValue()),
  }),
  column.accessor("target", { header: "About", cell: ({ row: { original: entry } }) => <Target entry={entry} /> }),
  column.accessor("by", {
    header: "By",
    cell: ({ getValue }) => (
      <span className="block truncate text-muted sm:max-w-48">
        <bdi>{getValue()}</bdi>
      </span>
    ),
  }),
  column.accessor("createdAt", {
    header: "When",
    meta: { align: "end" },
    cell: ({ getValue }) => (
      <span className="text-muted max-sm:[&_time]:whitespace-normal">
        <Time at={getValue()} as="exact" />
      </span>
    ),
  }),
]);

const filters = { actor: parseAsString, target: parseAsString };

/** Who did what, newest first. */
export function AuditLog() {
  const trpc = useTRPC();
  const [{ actor, target }, setFilters] = useQueryStates(filters);
  const at = usePage(50);
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const narrow = (next: { actor?: string | null; target?: string | null }) => {
    setOpen(null);
    void setFilters(next);
    void at.setPage(null);
  };
  const query = useQuery(
    trpc.organisation.audit.queryOptions(
      { ...at.range, ...(actor && { actorId: actor }), ...(target && { targetId: target }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const rows = useNamed(query.data);
  const people = useActorOptions();
  const known = people.some(({ value }) => value === actor);
  const by = useThingName(known ? null : actor);
  const about = useThingName(target);
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Everything that people, keys and the service itself did in this organisation. It cannot be changed."
      />
      <AuditTabs />
      <ListFrame
        filters={
          <>
            <Filter
              label="By"
              any="By anyone"
              value={known ? actor : null}
              onChange={(next) => narrow({ actor: next })}
              options={people}
              className="w-full sm:w-52"
            />
            {actor && !known && <Narrowed label="By" value={actor} name={by} onClear={() => narrow({ actor: null })} />}
            {target && <Narrowed label="About" value={target} name={about} onClear={() => narrow({ target: null })} />}
          </>
        }
        pager={
          <Pager
            at={at}
            total={query.data?.total}
            isPlaceholder={query.isPlaceholderData}
            noun={["entry", "entries"]}
          />
        }
      >
        <DataTable
          label="Audit log"
          columns={columns}
          query={{ ...query, data: rows }}
          rowKey={(entry) => entry.id}
          onOpen={setOpen}
          empty={
            actor || target ? (
              <Empty
                icon={SearchX}
                title="Nothing was recorded"
                action={
                  <Button variant="outline" onPress={() => narrow({ actor: null, target: null })}>
                    Clear filters
                  </Button>
                }
              >
                Nothing is recorded by whom and about what you chose.
              </Empty>
            ) : (
              <Empty icon={ScrollText} title="Nothing was recorded yet">
                The first change in this organisation appears here.
              </Empty>
            )
          }
        />
      </ListFrame>
      <EntryPanel entry={open} onClose={() => setOpen(null)} onNarrow={narrow} />
    </>
  );
}

const named = ["grp_", "con_", "whe_", "crd_"];

/** The page's entries with the names of the records that they are about. */
function useNamed(
  found: { data: AuditEntry[]; total?: number } | undefined,
): { data: Row[]; total?: number } | undefined {
  const idsWith = (prefix: string) =>
    (found?.data ?? []).map(({ target }) => target.id).filter((id) => id.startsWith(prefix));
  const personOf = usePeople(idsWith("sub_"));
  const users = idsWith("usr_").map((id) => ({ type: "user", id }));
  const userOf = useActorNames(users);
  const thingOf = useThingNames(named.flatMap(idsWith));
  const actorOf = useActorNames((found?.data ?? []).map(({ actor }) => actor));
  if (!found) return undefined;
  const nameOf = ({ target: { id }, detail }: AuditEntry) => {
    if (id.startsWith("sub_")) return personOf(id)?.name;
    if (id.startsWith("usr_")) return userOf({ type: "user", id });
    return thingOf(id) ?? [detail["name"], detail["email"]].find((each) => typeof each === "string");
  };
  return {
    ...found,
    data: found.data.map((entry) => ({
      ...entry,
      about: nameOf(entry) as string | undefined,
      by: actorOf(entry.actor),
    })),
  };
}

function Target({ entry: { target, about } }: { entry: Row }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2 max-sm:justify-end">
      <span className="shrink-0 max-sm:hidden">{inWords(target.type)}</span>
      {about !== undefined && about !== target.id ? (
        <bdi className="truncate text-muted sm:max-w-56">{about}</bdi>
      ) : target.id.startsWith("tpl_") ? (
        <span className="truncate text-muted sm:max-w-56">
          <TemplateName id={target.id} />
        </span>
      ) : (
        <code className="truncate font-mono text-xs text-muted sm:max-w-40 lg:max-w-64" title={target.id}>
          {target.id}
        </code>
      )}
    </span>
  );
}
