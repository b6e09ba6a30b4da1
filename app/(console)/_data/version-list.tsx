"use client";
import { Chip } from "@heroui/react";
import { Archive, ArchiveRestore, Columns2, Layers, Rocket } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Action } from "@/components/console/use-action";
import { Confirm } from "@/components/ui/confirm";
import { Failure } from "@/components/ui/failure";
import { Panel } from "@/components/ui/panel";
import { RowMenu } from "@/components/ui/row-menu";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { VersionStatus } from "@/server/templates/states";

interface Version {
  id: string;
  version: number;
  status: VersionStatus;
  publishedAt: string | null;
  updatedAt: string;
}
export type Step = "publish" | "archive" | "unarchive";

const words: Record<Step, { title: (n: number) => string; confirm: string; done: string }> = {
  publish: { title: (n) => `Publish version ${n}?`, confirm: "Publish", done: "Version published" },
  archive: { title: (n) => `Archive version ${n}?`, confirm: "Archive", done: "Version archived" },
  unarchive: { title: (n) => `Bring version ${n} back?`, confirm: "Bring back", done: "Version brought back" },
};

/** The text of a toast after a step. */
export const stepDone = (step: Step): string => words[step].done;

/** The version for which a step was requested, and a function that cancels the question. */
export function useAskedStep<V extends Version>() {
  const [asked, setAsked] = useState<{ step: Step; version: V } | null>(null);
  return { asked, ask: setAsked, close: () => setAsked(null) };
}

interface Props<V extends Version> {
  id: string;
  currentVersion: number | null;
  description: string;
  query: { data: { data: V[] } | undefined; error: Parameters<typeof Failure>[0]["error"] | null; refetch(): unknown };
  canChange: boolean;
  /** Shows what a version changes, if versions can be compared. */
  onCompare?: (version: V) => void;
  /** Applies the current version to existing credentials, if that is possible. */
  onApply?: (() => void) | undefined;
  step: ReturnType<typeof useAskedStep<V>>;
  actions: Record<Step, Action<{ id: string; version: number }>>;
  /** A version's content in one line, shown before its time. */
  says(version: V): ReactNode;
  consequence(step: Step, version: V): ReactNode;
}

/** Lists the versions of a template or an achievement, with the actions on each. */
export function VersionList<V extends Version>({
  id,
  currentVersion,
  description,
  query,
  canChange,
  onCompare,
  onApply,
  step: { asked, ask, close },
  actions,
  says,
  consequence,
}: Props<V>) {
  const action = actions[asked?.step ?? "publish"];
  return (
    <Panel flush title="Versions" description={description}>
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
                  {version.version === currentVersion && (
                    <Chip color="accent" variant="soft" className="px-2">
                      Current
                    </Chip>
                  )}
                </p>
                <p className="mt-0.5 text-xs text-muted wrap-anywhere">
                  {says(version)} ·{" "}
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
              {(canChange || onCompare) && (
                <RowMenu
                  label={`Actions for version ${version.version}`}
                  actions={[
                    onCompare !== undefined &&
                      query.data!.data.length > 1 && {
                        id: "compare",
                        label: "Compare…",
                        icon: Columns2,
                        onAction: () => onCompare(version),
                      },
                    onApply !== undefined &&
                      version.version === currentVersion && {
                        id: "apply",
                        label: "Show on live credentials…",
                        icon: Layers,
                        onAction: onApply,
                      },
                    canChange &&
                      version.status !== "archived" &&
                      version.version !== currentVersion && {
                        id: "publish",
                        label: version.status === "draft" ? "Publish" : "Make current again",
                        icon: Rocket,
                        onAction: () => ask({ step: "publish", version }),
                      },
                    canChange &&
                      version.status !== "archived" && {
                        id: "archive",
                        label: "Archive",
                        icon: Archive,
                        onAction: () => ask({ step: "archive", version }),
                      },
                    canChange &&
                      version.status === "archived" && {
                        id: "unarchive",
                        label: "Bring back",
                        icon: ArchiveRestore,
                        onAction: () => ask({ step: "unarchive", version }),
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
          onConfirm={() => action.run({ id, version: asked.version.version })}
        >
          {consequence(asked.step, asked.version)}
        </Confirm>
      )}
    </Panel>
  );
}
