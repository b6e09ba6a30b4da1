import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { HeldCredentials } from "./held-credentials";

/** Shows what remains of an erased person: ids, dates and credentials. None of it can be changed. */
export function ErasedSubject({ subject, erasedAt }: { subject: RouterOutputs["subjects"]["get"]; erasedAt: string }) {
  return (
    <>
      <PageHeader
        trail={[{ label: "People", href: "/subjects" }]}
        title="Erased person"
        aside={<Status of={subject.status} />}
      />
      <Notice
        title={
          <>
            Erased on <Time at={erasedAt} as="date" />
          </>
        }
        className="mb-5"
      >
        The person asked for it. What was known of them is gone, and nothing can be written about them any more. The
        record of their credentials stays, without a name.
      </Notice>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <HeldCredentials
          subjectId={subject.id}
          count={subject.credentialCount}
          valid={subject.activeCredentialCount}
          onIssue={undefined}
        />
        <Panel title="Details">
          <Facts>
            <Fact name="Id in the API">
              <Copyable text={subject.id} what="id in the API" />
            </Fact>
            <Fact name="Added">
              <Time at={subject.createdAt} as="exact" />
            </Fact>
            <Fact name="Erased">
              <Time at={erasedAt} as="exact" />
            </Fact>
          </Facts>
        </Panel>
      </div>
    </>
  );
}
