"use client";
import { Chip } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Rocket } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { useRegion } from "@/components/ui/region";
import { Time } from "@/components/ui/time";
import type { RouterOutputs } from "@/server/trpc/root";
import { useSession } from "../../_shell/session";
import { validityWords } from "../validity-words";

type Version = RouterOutputs["templates"]["versions"]["list"]["data"][number];
type Step = "publish" | "archive" | "unarchive";

const words: Record<Step, { title: (n: number) => string; confirm: string; done: string }> = {
  publish: { title: (n) => `Publish version ${n}?`, confirm: "Publish", done: "Version published" },
  archive: { title: (n) => `Archive version ${n}?`, confirm: "Archive", done: "Version archived" },
  unarchive: { title: (n) => `Bring version ${n} back?`, confirm: "Bring back", done: "Version brought back" },
};

export function Versions({ template }: { template: { id: string; currentVersion: number | null } }) {
  const trpc = useTRPC();
  const { can } = useSession();
  const region = useRegion();
  const query = useQuery(
    trpc.templates.versions.list.queryOptions({ id: template.id, limit: 50 }, { placeholderData: keepPreviousData }),
  );
  const [asked, setAsked] = useState<{ step: Step; version: Version } | null>(null);
  const close = () => setAsked(null);
  const options = (step: Step) => ({ done: words[step].done, onDone: close });
  const actions = {
    publish: useAction(trpc.templates.versions.publish.mutationOptions(), options("publish")),
    archive: useAction(trpc.templates.versions.archive.mutationOptions(), options("archive")),
    unarchive: useAction(trpc.templates.versions.unarchive.mutationOptions(), options("unarchive")),
  };
  const action = actions[asked?.step ?? "publish"];
  return (
    <Panel flush title="Versions" description="Credentials keep the version they were issued from.">
      {query.error && !query.data ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <div className="p-5">
          <SkeletonLines lines={3} />
        </div>
      ) : (
        <ul className="divide-y divide-separator">
          {query.data.data.map((version) => (
            <li key={version.id} className="flex items-center gap-3 px-4 py-3 sm:px-5">
              <div className="min-w-0 flex-1">
                <p className="flex flex-wrap items-center gap-2 text-[0.8125rem] font-medium">
                  Version {version.version} <Status of={version.status} />
                  {version.version === template.currentVersion && (
                    <Chip color="accent" variant="soft" className="px-2">
                      Current
                    </Chip>
                  )}
                </p>
                <p className="mt-0.5 text-xs text-muted">
                  {validityWords(version.validity, region)} ·{" "}
                  {version.publishedAt ? (
                    <>
                      published <Time at={version.publishedAt} />
                    </>
                  ) : (
                    <>
                      changed <Time at={version.updatedAt} />
                    </>
                  )}
                </p>
              </div>
              {can("templates:write") && (
                <RowMenu
                  label={`Actions for version ${version.version}`}
                  actions={[
                    version.status !== "archived" &&
                      version.version !== template.currentVersion && {
                        id: "publish",
                        label: version.status === "draft" ? "Publish" : "Make current again",
                        icon: Rocket,
                        onAction: () => setAsked({ step: "publish", version }),
                      },
                    version.status !== "archived" && {
                      id: "archive",
                      label: "Archive",
                      icon: Archive,
                      onAction: () => setAsked({ step: "archive", version }),
                    },
                    version.status === "archived" && {
                      id: "unarchive",
                      label: "Bring back",
                      icon: ArchiveRestore,
                      onAction: () => setAsked({ step: "unarchive", version }),
                    },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {asked && (
        <Confirm
          isOpen
          onOpenChange={close}
          title={words[asked.step].title(asked.version.version)}
          confirm={words[asked.step].confirm}
          tone={asked.step === "archive" ? "danger" : "primary"}
          isPending={action.isPending}
          problem={action.problem}
          onConfirm={() => action.run({ id: template.id, version: asked.version.version })}
        >
          <Consequence step={asked.step} version={asked.version} current={template.currentVersion} />
        </Confirm>
      )}
    </Panel>
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
