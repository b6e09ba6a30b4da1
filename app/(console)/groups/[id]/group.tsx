"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2, UserPlus } from "lucide-react";
import { Fragment, useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { GroupView } from "@/server/groups/view";
import type { RouterOutputs } from "@/server/trpc/root";
import { RulePanel } from "../../_rule/rule-panel";
import { useSession } from "../../_shell/session";
import { GroupDialog } from "../group-dialog";
import { evaluationProblems, originOf } from "../kinds";
import { AddMembersDialog } from "./add-members-dialog";
import { DeleteDialog } from "./delete-dialog";
import { MemberList } from "./member-list";

const trail = [{ label: "Groups", href: "/groups" }];

export function Group({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.groups.get.queryOptions({ id }));
  if (query.data) return <GroupDetail group={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function ConnectorNames({ of }: { of: GroupView["fedBy"] }) {
  const { can } = useSession();
  return of.map(({ connectorId, name }, i) => (
    <Fragment key={connectorId}>
      {i > 0 && (i === of.length - 1 ? " and " : ", ")}
      {can("connectors:read") ? (
        <Link href={`/connectors/${connectorId}`} className="underline">
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
    </Fragment>
  ));
}

function GroupDetail({ group }: { group: RouterOutputs["groups"]["get"] }) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<"edit" | "add" | "delete" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const write = can("groups:write");
  const { providedBy, fedBy } = group;
  const canChoose = write && group.kind === "static" && !providedBy;
  return (
    <>
      <PageHeader
        trail={trail}
        title={<bdi>{group.name}</bdi>}
        description={group.description}
        actions={
          write && (
            <>
              <Button variant="outline" onPress={() => setDialog("edit")}>
                <Pencil aria-hidden="true" /> Edit
              </Button>
              {canChoose && (
                <Button onPress={() => setDialog("add")}>
                  <UserPlus aria-hidden="true" /> Add people
                </Button>
              )}
              {!providedBy && (
                <RowMenu
                  outlined
                  label="More actions"
                  actions={[
                    { id: "delete", label: "Delete", icon: Trash2, danger: true, onAction: () => setDialog("delete") },
                  ]}
                />
              )}
            </>
          )
        }
      />
      {providedBy && (
        <div className="mb-5">
          <Notice>
            The directory <ConnectorNames of={[providedBy]} /> provides this group. Its name and its people are changed
            there, and it is deleted there.
          </Notice>
        </div>
      )}
      {fedBy.length > 0 && (
        <div className="mb-5">
          <Notice>
            The files of <ConnectorNames of={fedBy} /> add people to this group, and remove whom they added. You can add
            others here: they stay.
          </Notice>
        </div>
      )}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <MemberList group={group} canChoose={canChoose} onAdd={() => setDialog("add")} />
        <div className="space-y-5">
          <Panel title="Details">
            <Facts>
              <Fact name="Members">{originOf(group)}</Fact>
              <Fact name="Id in the API">
                <Copyable text={group.id} what="id in the API" />
              </Fact>
              <Fact name="Your id">{group.externalId && <Copyable text={group.externalId} what="your id" />}</Fact>
              <Fact name="Created">
                <Time at={group.createdAt} as="exact" />
              </Fact>
              {group.kind === "rule" && (
                <Fact name="Up to date as of">
                  {group.evaluatedAt ? <Time at={group.evaluatedAt} as="exact" /> : "Being worked out"}
                </Fact>
              )}
              {group.evaluationProblem && (
                <Fact name="Not up to date">{evaluationProblems[group.evaluationProblem]}</Fact>
              )}
            </Facts>
          </Panel>
          {group.rule && <RulePanel rule={group.rule} description="Looked at anew every five minutes." />}
        </div>
      </div>
      <GroupDialog {...opener("edit")} group={group} />
      <AddMembersDialog {...opener("add")} group={group} />
      <DeleteDialog {...opener("delete")} group={group} />
    </>
  );
}
