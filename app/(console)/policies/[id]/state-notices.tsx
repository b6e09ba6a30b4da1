import { Button } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useTemplate } from "../../_data/names";
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

/** The policy waits for a run of a connector. Links to the run if it waits for an approval. */
export function WaitsForFile({ runId }: { runId: string | null }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const { data } = useQuery(trpc.connectors.heldRuns.queryOptions({}, { enabled: can("connectors:read") }));
  const held = data?.find(({ id }) => id === runId);
  return (
    <Notice tone="warning" title="This policy waits for a file of a connector" className="mb-5">
      The file is being applied or waits for approval. The policy continues once that is done. See{" "}
      {held ? (
        <Link href={`/connectors/${held.connectorId}/runs/${held.id}`} className="underline">
          the file of <bdi>{held.connectorName}</bdi>
        </Link>
      ) : (
        <Link href="/connectors" className="underline">
          the connectors
        </Link>
      )}
      .
    </Notice>
  );
}

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
