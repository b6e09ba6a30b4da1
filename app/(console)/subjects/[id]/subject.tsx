"use client";
import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { Ban, Eraser, Pencil, Plus, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { IssueDialog } from "../../credentials/issue-dialog";
import { useSession } from "../../_shell/session";
import { SubjectDialog } from "../subject-dialog";
import { AttributeList } from "./attribute-list";
import { DeactivateDialog, DeleteDialog } from "./ending";
import { EraseDialog } from "./erase-dialog";
import { ErasedSubject } from "./erased-subject";
import { Groups } from "./groups";
import { Bounced } from "./bounced";
import { HeldCredentials } from "./held-credentials";
import { History } from "./history";
import { Photo } from "./photo";
import { Policies } from "./policies";
import { Sources } from "./sources";
import { StagedNotice } from "./staged-notice";

const trail = [{ label: "People", href: "/subjects" }];

export function Subject({ id }: { id: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.subjects.get.queryOptions({ id }));
  if (query.data?.erasedAt) return <ErasedSubject subject={query.data} erasedAt={query.data.erasedAt} />;
  if (query.data) return <SubjectDetail subject={query.data} />;
  if (query.error) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <SkeletonPage />;
}

function SubjectDetail({ subject }: { subject: RouterOutputs["subjects"]["get"] }) {
  const { can } = useSession();
  const [dialog, setDialog] = useState<"edit" | "issue" | "deactivate" | "delete" | "erase" | null>(null);
  const opener = (name: NonNullable<typeof dialog>) => ({
    isOpen: dialog === name,
    onOpenChange: (open: boolean) => setDialog(open ? name : null),
  });
  const write = can("subjects:write");
  const active = subject.status === "active";
  return (
    <>
      <PageHeader
        trail={trail}
        title={<bdi>{subject.displayName || subject.externalId}</bdi>}
        aside={<Status of={subject.status} />}
        description={subject.email}
        actions={
          <>
            {write && (
              <Button variant="outline" onPress={() => setDialog("edit")}>
                <Pencil aria-hidden="true" /> Edit
              </Button>
            )}
            {can("credentials:issue") && active && (
              <Button onPress={() => setDialog("issue")}>
                <Plus aria-hidden="true" /> Issue credential
              </Button>
            )}
            <RowMenu
              outlined
              label="More actions"
              actions={[
                write && {
                  id: "status",
                  label: active ? "Deactivate" : "Reactivate",
                  icon: active ? Ban : RotateCcw,
                  onAction: () => setDialog("deactivate"),
                },
                write && {
                  id: "delete",
                  label: "Delete",
                  icon: Trash2,
                  danger: true,
                  onAction: () => setDialog("delete"),
                },
                write && {
                  id: "erase",
                  label: "Erase…",
                  icon: Eraser,
                  danger: true,
                  onAction: () => setDialog("erase"),
                },
              ]}
            />
          </>
        }
      />
      <Bounced subject={subject} />
      {subject.staged && <StagedNotice />}
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="min-w-0 space-y-5">
          <HeldCredentials
            subjectId={subject.id}
            count={subject.credentialCount}
            valid={subject.activeCredentialCount}
            onIssue={can("credentials:issue") && active ? () => setDialog("issue") : undefined}
          />
          {can("events:read") && <History subjectId={subject.id} />}
        </div>
        <div className="space-y-5">
          <Photo subject={subject} canWrite={write} />
          <Panel title="Details">
            <Facts>
              <Fact name="Id in the API">
                <Copyable text={subject.id} what="id in the API" />
              </Fact>
              <Fact name="Your id">
                <Copyable text={subject.externalId} what="your id" />
              </Fact>
              <Fact name="E-mail">{subject.email}</Fact>
              <Fact name="Added">
                <Time at={subject.createdAt} as="exact" />
              </Fact>
              <Fact name="Changed">
                <Time at={subject.updatedAt} as="exact" />
              </Fact>
            </Facts>
          </Panel>
          <Sources sources={subject.sources} />
          {can("groups:read") && <Groups subjectId={subject.id} />}
          {can("policies:read") && <Policies subjectId={subject.id} />}
          <AttributeList attributes={subject.attributes} />
        </div>
      </div>
      <SubjectDialog {...opener("edit")} subject={subject} />
      <IssueDialog {...opener("issue")} subject={subject} />
      <DeactivateDialog {...opener("deactivate")} subject={subject} />
      <EraseDialog {...opener("erase")} subject={subject} />
      <DeleteDialog {...opener("delete")} subject={subject} onDeactivate={() => setDialog("deactivate")} />
    </>
  );
}
