"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { useRegion } from "@/components/ui/region";
import type { RouterOutputs } from "@/server/trpc/root";
import { stepDone, useAskedStep, VersionList, type Step } from "../../_data/version-list";
import { useSession } from "../../_shell/session";
import { PublishWords } from "../publish-words";
import { validityWords } from "../validity-words";
import { ApplyVersion } from "./apply-version";
import { CompareDialog } from "./compare-dialog";

type Version = RouterOutputs["templates"]["versions"]["list"]["data"][number];

interface Props {
  template: Pick<RouterOutputs["templates"]["get"], "id" | "name" | "kind" | "currentVersion">;
}

export function Versions({ template }: Props) {
  const trpc = useTRPC();
  const { can } = useSession();
  const region = useRegion();
  const query = useQuery(
    trpc.templates.versions.list.queryOptions({ id: template.id, limit: 50 }, { placeholderData: keepPreviousData }),
  );
  const step = useAskedStep<Version>();
  const options = (of: Step) => ({ done: stepDone(of), onDone: step.close });
  const actions = {
    publish: useAction(trpc.templates.versions.publish.mutationOptions(), options("publish")),
    archive: useAction(trpc.templates.versions.archive.mutationOptions(), options("archive")),
    unarchive: useAction(trpc.templates.versions.unarchive.mutationOptions(), options("unarchive")),
  };
  const [applying, setApplying] = useState(false);
  const [compared, setCompared] = useState<number | null>(null);
  return (
    <>
      <VersionList
        id={template.id}
        currentVersion={template.currentVersion}
        description="Credentials keep the version they were issued from."
        query={query}
        onCompare={({ version }) => setCompared(version)}
        onApply={template.kind !== "academic" && can("credentials:issue") ? () => setApplying(true) : undefined}
        canChange={can("templates:write")}
        step={step}
        actions={actions}
        says={(version) => validityWords(version.validity, region)}
        consequence={(asked, version) => <Consequence step={asked} version={version} template={template} />}
      />
      {applying && template.currentVersion !== null && (
        <ApplyVersion template={template} version={template.currentVersion} onClose={() => setApplying(false)} />
      )}
      {compared !== null && (
        <CompareDialog
          template={template}
          version={compared}
          numbers={query.data?.data.map(({ version }) => version) ?? []}
          onClose={() => setCompared(null)}
        />
      )}
    </>
  );
}

function Consequence({ step, version, template }: { step: Step; version: Version } & Props) {
  const current = template.currentVersion;
  if (step === "publish") return <PublishWords template={template} isDraft={version.status === "draft"} />;
  if (step === "unarchive")
    return (
      <p>
        It can be used again.{" "}
        {current === null && version.publishedAt
          ? "As none is current, it becomes the current one."
          : "The current version stays the current one."}
      </p>
    );
  return (
    <p>
      {version.version === current
        ? "It is the current version: nothing can be issued from this template until another is published or this one is brought back."
        : "It can no longer be made current, until it is brought back."}{" "}
      Credentials that were issued from it stay valid.
    </p>
  );
}
