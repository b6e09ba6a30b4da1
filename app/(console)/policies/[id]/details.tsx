import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Time } from "@/components/ui/time";
import { useGroupNames, useTemplateName } from "../../_data/names";
import { wordsOfGroup } from "../../_rule/words";
import { count, exitOptions, reentryOptions, wordsOfRenewal, type Policy } from "../words";

/** Shows the settings of a policy in words. */
export function Details({ policy }: { policy: Policy }) {
  const { percent, count: most } = policy.blastRadius;
  const template = useTemplateName(policy.templateId);
  const groupName = useGroupNames(policy.groupId ? [policy.groupId] : []);
  return (
    <Panel title="Details">
      <Facts>
        <Fact name="Template">
          <Link href={`/templates/${policy.templateId}`} className="underline">
            <bdi>{template}</bdi>
          </Link>
        </Fact>
        {policy.groupId && (
          <Fact name="Members of">
            <Link href={`/groups/${policy.groupId}`} className="underline">
              <bdi>{wordsOfGroup(policy.groupId, groupName(policy.groupId))}</bdi>
            </Link>
          </Fact>
        )}
        <Fact name="When somebody leaves">{exitOptions.find(({ value }) => value === policy.onExit)!.label}</Fact>
        {policy.onExit === "suspend" && (
          <Fact name="When somebody comes back">
            {reentryOptions.find(({ value }) => value === policy.reentry)!.label}
          </Fact>
        )}
        <Fact name="Days of grace">{policy.graceDays > 0 ? count(policy.graceDays) : null}</Fact>
        <Fact name="Waits for approval">
          If it would end more than {percent} % of its credentials in 24 hours, or more than {count(most)}; up to 5 wait
          only if nobody matches the rule any more
        </Fact>
        <Fact name="Extends">{policy.renewal && wordsOfRenewal(policy.renewal.before)}</Fact>
        <Fact name="Schedule">
          {policy.schedule && (
            <>
              <code className="font-mono text-xs">{policy.schedule.cron}</code> {policy.schedule.timeZone}
            </>
          )}
        </Fact>
        <Fact name="Next run">{policy.nextRunAt && <Time at={policy.nextRunAt} as="exact" />}</Fact>
        <Fact name="Id in the API">
          <Copyable text={policy.id} what="id in the API" />
        </Fact>
        <Fact name="Created">
          <Time at={policy.createdAt} as="exact" />
        </Fact>
      </Facts>
    </Panel>
  );
}
