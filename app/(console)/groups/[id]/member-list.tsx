"use client";
import { Button } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SearchX, UserMinus, UserPlus, Users } from "lucide-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { columnsOf, DataTable } from "@/components/ui/data-table";
import { Empty } from "@/components/ui/empty";
import { Notice } from "@/components/ui/notice";
import { Pager, usePage } from "@/components/ui/pager";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SearchBox } from "@/components/ui/search-box";
import { Status } from "@/components/ui/status";
import type { GroupView } from "@/server/groups/view";
import type { SubjectView } from "@/server/subjects/view";

interface Props {
  group: GroupView;
  /** Whether people can be added and removed here. */
  canChoose: boolean;
  onAdd(): void;
}

const column = columnsOf<SubjectView>();

/** Lists the people of a group, with search and pages. */
export function MemberList({ group, canChoose, onAdd }: Props) {
  const trpc = useTRPC();
  const at = usePage();
  const [q, search] = useQueryState("q", parseAsString.withDefault(""));
  const [leaving, setLeaving] = useState<SubjectView | null>(null);
  const query = useQuery(
    trpc.subjects.list.queryOptions(
      { groupId: group.id, ...at.range, ...(q && { q }) },
      { placeholderData: keepPreviousData },
    ),
  );
  const { data: staged } = useQuery(
    trpc.groups.stagedMembers.queryOptions(
      { id: group.id, subjectIds: query.data?.data.map((s) => s.id) ?? [] },
      { placeholderData: keepPreviousData, enabled: query.data !== undefined },
    ),
  );
  const leavingSoon = new Set<string>(staged?.subjectIds);
  const columns = column.columns([
    column.accessor("displayName", {
      header: "Name",
      meta: { phone: "title" },
      cell: ({ row: { original: s } }) => <bdi>{s.displayName || s.externalId}</bdi>,
    }),
    column.accessor("externalId", {
      header: "Your id",
      cell: ({ getValue }) => <code className="font-mono text-xs break-all text-muted">{getValue()}</code>,
    }),
    column.accessor("status", {
      header: "Status",
      cell: ({ getValue, row: { original: s } }) =>
        leavingSoon.has(s.id) ? <Status of="held" label="Removal waits" /> : <Status of={getValue()} />,
    }),
    ...(canChoose
      ? [
          column.display({
            id: "actions",
            header: "",
            meta: { align: "end" },
            cell: ({ row: { original: s } }) => (
              <RowMenu
                label={`Actions for ${s.displayName || s.externalId}`}
                actions={[
                  {
                    id: "remove",
                    label: "Remove from group",
                    icon: UserMinus,
                    danger: true,
                    onAction: () => setLeaving(s),
                  },
                ]}
              />
            ),
          }),
        ]
      : []),
  ]);
  return (
    <Panel
      flush
      title="People"
      description={group.memberCount === 1 ? "1 person" : `${group.memberCount.toLocaleString("en")} people`}
      actions={
        <SearchBox
          label="Search people of this group"
          placeholder="Search"
          value={q}
          onChange={(next) => {
            void search(next || null);
            void at.setPage(null);
          }}
          className="w-40 sm:w-56"
        />
      }
    >
      {staged && staged.total > 0 && (
        <div className="px-4 pb-3 sm:px-5">
          <Notice tone="warning">
            A directory took {staged.total === 1 ? "1 person" : `${staged.total.toLocaleString("en")} people`} out of
            this group. They stay in it until somebody approves it under Connectors.
          </Notice>
        </div>
      )}
      <DataTable
        label="People of this group"
        columns={columns}
        query={query}
        rowKey={(s) => s.id}
        href={(s) => `/subjects/${s.id}`}
        empty={
          q ? (
            <Empty icon={SearchX} title="Nobody matches" />
          ) : (
            <Empty
              icon={Users}
              title="Nobody is in this group"
              action={
                canChoose && (
                  <Button onPress={onAdd}>
                    <UserPlus aria-hidden="true" /> Add people
                  </Button>
                )
              }
            >
              {group.kind === "rule" ? "Nobody matches the rule at the moment." : undefined}
            </Empty>
          )
        }
      />
      <Pager at={at} total={query.data?.total} isPlaceholder={query.isPlaceholderData} noun={["person", "people"]} />
      <RemoveDialog group={group} subject={leaving} onClose={() => setLeaving(null)} />
    </Panel>
  );
}

function RemoveDialog({ group, subject, onClose }: { group: GroupView; subject: SubjectView | null; onClose(): void }) {
  const trpc = useTRPC();
  const action = useAction(trpc.groups.removeMembers.mutationOptions(), {
    done: "Removed from the group",
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen={subject !== null}
      onOpenChange={onClose}
      title={
        <>
          Remove <bdi>{subject?.displayName || subject?.externalId}</bdi> from this group?
        </>
      }
      confirm="Remove"
      isPending={action.isPending}
      problem={action.problem}
      onConfirm={() => subject && action.run({ id: group.id, subjectIds: [subject.id] })}
    >
      <p>
        They leave <bdi>{group.name}</bdi>, and groups by rule that build on it. The person stays, with everything they
        hold, and can be added again.
      </p>
    </Confirm>
  );
}
