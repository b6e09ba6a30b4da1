"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import type { RouterOutputs } from "@/server/trpc/root";
import { stepDone, useAskedStep, VersionList, type Step } from "../../_data/version-list";
import { useSession } from "../../_shell/session";

type Version = RouterOutputs["achievements"]["versions"]["list"]["data"][number];

interface Shown {
  id: string;
  currentVersion: number | null;
  /** The number of published templates that issue credentials with this achievement. */
  templateCount: number;
}

export function Versions({ achievement }: { achievement: Shown }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const query = useQuery(
    trpc.achievements.versions.list.queryOptions(
      { id: achievement.id, limit: 50 },
      { placeholderData: keepPreviousData },
    ),
  );
  const step = useAskedStep<Version>();
  const options = (of: Step) => ({ done: stepDone(of), onDone: step.close });
  const actions = {
    publish: useAction(trpc.achievements.versions.publish.mutationOptions(), options("publish")),
    archive: useAction(trpc.achievements.versions.archive.mutationOptions(), options("archive")),
    unarchive: useAction(trpc.achievements.versions.unarchive.mutationOptions(), options("unarchive")),
  };
  return (
    <VersionList
      id={achievement.id}
      currentVersion={achievement.currentVersion}
      description="Credentials keep the version that they state."
      query={query}
      canChange={can("achievements:write")}
      step={step}
      actions={actions}
      says={(version) => <bdi>{version.name}</bdi>}
      consequence={(asked, version) => <Consequence step={asked} version={version} achievement={achievement} />}
    />
  );
}

function Consequence({ step, version, achievement }: { step: Step; version: Version; achievement: Shown }) {
  const { currentVersion: current, templateCount } = achievement;
  if (step === "publish") {
    return (
      <p>
        New credentials state it from now on{current !== null && `, in place of version ${current}`}.{" "}
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
        ? `It is the current version: ${stopped(templateCount)} until another version is published or this one is brought back.`
        : "It can no longer be made current, until it is brought back."}{" "}
      Credentials that state it stay valid.
    </p>
  );
}

/** What archiving the current version stops. */
function stopped(templates: number): string {
  if (templates === 0) return "no credential can state this achievement";
  return `nothing can be issued from ${templates === 1 ? "the published template that names" : `the ${templates.toLocaleString("en")} published templates that name`} this achievement`;
}
