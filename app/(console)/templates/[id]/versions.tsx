"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { useRegion } from "@/components/ui/region";
import type { RouterOutputs } from "@/server/trpc/root";
import { stepDone, useAskedStep, VersionList, type Step } from "../../_data/version-list";
import { useSession } from "../../_shell/session";
import { validityWords } from "../validity-words";

type Version = RouterOutputs["templates"]["versions"]["list"]["data"][number];

export function Versions({ template }: { template: { id: string; currentVersion: number | null } }) {
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
  return (
    <VersionList
      id={template.id}
      currentVersion={template.currentVersion}
      description="Credentials keep the version they were issued from."
      query={query}
      canChange={can("templates:write")}
      step={step}
      actions={actions}
      says={(version) => validityWords(version.validity, region)}
      consequence={(asked, version) => <Consequence step={asked} version={version} current={template.currentVersion} />}
    />
  );
}

function Consequence({ step, version, current }: { step: Step; version: Version; current: number | null }) {
  if (step === "publish") {
    return (
      <p>
        New credentials are issued from it from now on{current !== null && `, in place of version ${current}`}.{" "}
        {version.status === "draft" && "A published version cannot be changed; make another one instead. "}Credentials
        that exist keep theirs.
      </p>
    );
  }
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
