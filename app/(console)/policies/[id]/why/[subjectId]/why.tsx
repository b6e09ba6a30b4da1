"use client";
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Fact, Facts } from "@/components/ui/facts";
import { Failure } from "@/components/ui/failure";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { Panel } from "@/components/ui/panel";
import { useRegion } from "@/components/ui/region";
import { SkeletonPage } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { LastDay, Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { nameOfPerson, useTemplateName } from "../../../../_data/names";
import { RuleOutcome } from "../../../../_rule/rule-outcome";
import { outcomeLooks, type Explanation, type Policy } from "../../../words";
import { AskWhy } from "../../ask-why";
import { reasonsOf, verdictOf } from "./words";

/**
 * Explains why a person holds a policy's credential or not: what the policy does for them, and each condition of its
 * rule.
 */
export function WhyPage({ id, subjectId }: { id: string; subjectId: string }) {
  const trpc = useTRPC();
  const policy = useQuery(trpc.policies.get.queryOptions({ id }));
  const subject = useQuery(trpc.subjects.get.queryOptions({ id: subjectId }));
  const why = useQuery(trpc.policies.explain.queryOptions({ id, subjectId }));
  const failed = [policy, subject, why].find(({ error, data }) => error && !data);
  if (failed) return <Failure error={failed.error!} onRetry={() => void failed.refetch()} />;
  if (!policy.data || !subject.data || !why.data) return <SkeletonPage />;
  return <Why policy={policy.data} subject={subject.data} why={why.data} />;
}

interface Props {
  policy: Policy;
  subject: RouterOutputs["subjects"]["get"];
  why: Explanation;
}

function Why({ policy, subject, why }: Props) {
  const region = useRegion();
  const { name } = nameOfPerson({ ...subject, isErased: subject.erasedAt !== null });
  return (
    <>
      <PageHeader
        trail={[
          { label: "Policies", href: "/policies" },
          { label: policy.name, href: `/policies/${policy.id}` },
        ]}
        title={<bdi>{name}</bdi>}
        aside={<Status {...outcomeLooks[why.action]} />}
        description={verdictOf(why, policy, region)}
      />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]">
        <div className="space-y-5">
          <Panel title="Why">
            <div className="space-y-2 text-[0.8125rem] text-pretty wrap-anywhere">
              {reasonsOf(why, region).map((reason) => (
                <p key={reason}>{reason}</p>
              ))}
            </div>
          </Panel>
          {policy.rule && (
            <Panel title="The rule and this person" description="Each condition, and what is recorded of the person.">
              <RuleOutcome rule={policy.rule} comparisons={why.comparisons} />
            </Panel>
          )}
        </div>
        <div className="space-y-5">
          <WhyFacts policy={policy} subjectId={subject.id} name={name} why={why} />
          <AskWhy policyId={policy.id} title="Somebody else" />
        </div>
      </div>
    </>
  );
}

function WhyFacts({
  policy,
  subjectId,
  name,
  why,
}: {
  policy: Policy;
  subjectId: string;
  name: string;
  why: Explanation;
}) {
  const template = useTemplateName(policy.templateId);
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Person">
          <Link href={`/subjects/${subjectId}`} className="underline">
            <bdi>{name}</bdi>
          </Link>
        </Fact>
        <Fact name="Policy">
          <Link href={`/policies/${policy.id}`} className="underline">
            <bdi>{policy.name}</bdi>
          </Link>{" "}
          {policy.status !== "active" && <Status of={policy.status} />}
        </Fact>
        {policy.groupId && (
          <Fact name="Who matches">
            <Link href={`/groups/${policy.groupId}`} className="underline">
              The members of a group
            </Link>
          </Fact>
        )}
        <Fact name="Template">
          <Link href={`/templates/${policy.templateId}`} className="underline">
            <bdi>{template}</bdi>
          </Link>
        </Fact>
        <Fact name="Credential">
          {why.credentialId && (
            <Link href={`/credentials/${why.credentialId}`} className="underline">
              See the credential
            </Link>
          )}
        </Fact>
        {why.lapsedSince && why.graceUntil && (
          <>
            <Fact name="No match since">
              <Time at={why.lapsedSince} as="exact" />
            </Fact>
            <Fact name="Grace until">
              <LastDay end={why.graceUntil} />
            </Fact>
          </>
        )}
      </Facts>
    </Panel>
  );
}
