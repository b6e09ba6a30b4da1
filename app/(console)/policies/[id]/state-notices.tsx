import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { RouterOutputs } from "@/server/trpc/root";
import { useActors, useTemplate } from "../../_data/names";
import { useSession } from "../../_shell/session";
import type { Policy } from "../words";

/** Why a policy does nothing, or only a part: it is paused, or its template issues nothing. */
export function StateNotices({ policy }: { policy: Policy }) {
  return (
    <>
      {policy.status === "paused" && <Paused policy={policy} />}
      <TemplateNotice templateId={policy.templateId} />
    </>
  );
}

function Paused({ policy }: { policy: Policy }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const resume = useAction(trpc.policies.resume.mutationOptions(), { done: "Resumed", loud: true });
  return (
    <Notice
      tone="warning"
      title="This policy is paused"
      className="mb-5"
      action={
        can("policies:write") && (
          <Button
            size="sm"
            variant="outline"
            isPending={resume.isPending}
            onPress={() => resume.run({ id: policy.id })}
          >
            Resume
          </Button>
        )
      }
    >
      Nobody gets or loses a credential through it until it is resumed
      {policy.schedule && "; its schedule is skipped until then"}. What it issued stays as it is.
    </Notice>
  );
}

/** Names the run of a connector that a policy waits for, links to it, and says what it waits for itself. */
export function WaitsForFile({ runId }: { runId: string | null }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const actor = useMemo(() => ({ type: "job", id: runId ?? "" }), [runId]);
  const { name, href } = useActors(useMemo(() => [actor], [actor]))(actor);
  const connectorId = href?.split("/")[2];
  const { data } = useQuery(
    trpc.connectors.run.queryOptions(
      { id: connectorId ?? "", run: runId ?? "" },
      { enabled: connectorId !== undefined && can("connectors:read"), refetchInterval: 5_000 },
    ),
  );
  return (
    <Notice
      tone="warning"
      title={data?.status === "held" ? "This policy waits for an approval" : "This policy waits for a file"}
      className="mb-5"
    >
      {href ? (
        <Link href={href} className="underline">
          <bdi>{name}</bdi>
        </Link>
      ) : (
        "A file of a connector"
      )}{" "}
      {data ? waitingWords[data.status] : "is being applied or waits for approval"}. The policy continues once that is
      done.
    </Notice>
  );
}

const waitingWords: Record<RouterOutputs["connectors"]["run"]["status"], string> = {
  held: "waits for approval",
  queued: "waits for its turn",
  running: "is being applied",
  succeeded: "has been applied",
  failed: "has failed",
  cancelled: "was cancelled",
};

function TemplateNotice({ templateId }: { templateId: string }) {
  const template = useTemplate(templateId);
  if (template?.status !== "archived" && template?.status !== "draft") return null;
  const isArchived = template.status === "archived";
  return (
    <Notice
      tone="warning"
      title={isArchived ? "The template of this policy is archived" : "The template of this policy is a draft"}
      className="mb-5"
      action={
        <Link href={`/templates/${templateId}`} className="font-medium underline">
          Open the template
        </Link>
      }
    >
      The policy issues and extends nothing until a version of the template is {isArchived ? "brought back or " : ""}
      published. It still suspends, revokes and gives back credentials.
    </Notice>
  );
}
