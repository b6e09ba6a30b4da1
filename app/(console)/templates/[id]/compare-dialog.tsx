"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "@/components/trpc/client";
import { Choice } from "@/components/ui/choice";
import { Dialog } from "@/components/ui/dialog";
import { Failure } from "@/components/ui/failure";
import { useRegion } from "@/components/ui/region";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { RouterOutputs } from "@/server/trpc/root";
import { SampleCard } from "../editor/sample-card";
import { SideSwitch, type Side } from "../editor/side-switch";
import { changesOf } from "../changes";

type Version = RouterOutputs["templates"]["versions"]["get"];

interface Props {
  template: Pick<RouterOutputs["templates"]["get"], "id" | "name" | "kind" | "currentVersion">;
  /** The version to compare; `numbers` are those of all existing versions, newest first. */
  version: number;
  numbers: number[];
  onClose(): void;
}

/** Shows two versions of a template side by side, and lists the differences. */
export function CompareDialog({ template, version, numbers, onClose }: Props) {
  const trpc = useTRPC();
  const others = numbers.filter((number) => number !== version);
  const [with_, setWith] = useState(
    () =>
      others.find((number) => number === template.currentVersion) ??
      others.find((number) => number < version) ??
      others[0]!,
  );
  const [side, setSide] = useState<Side>("front");
  const [older, newer] = [Math.min(version, with_), Math.max(version, with_)];
  const before = useQuery(trpc.templates.versions.get.queryOptions({ id: template.id, version: older }));
  const after = useQuery(trpc.templates.versions.get.queryOptions({ id: template.id, version: newer }));
  const error = before.error ?? after.error;
  return (
    <Dialog isOpen onOpenChange={onClose} title={`What version ${newer} changes`} size="2xl">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <Choice
          label={`Compare version ${version} with`}
          value={String(with_)}
          onChange={(number: string) => setWith(Number(number))}
          options={others.map((number) => ({ value: String(number), label: `Version ${number}` }))}
          className="w-56"
        />
        <SideSwitch label="Side of the cards" value={side} onChange={setSide} />
      </div>
      {error ? (
        <Failure error={error} onRetry={() => void Promise.all([before.refetch(), after.refetch()])} />
      ) : before.data && after.data ? (
        <Comparison template={template} before={before.data} after={after.data} side={side} />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </Dialog>
  );
}

interface ComparisonProps extends Pick<Props, "template"> {
  before: Version;
  after: Version;
  side: Side;
}

function Comparison({ template, before, after, side }: ComparisonProps) {
  const changes = changesOf(before, after, useRegion());
  return (
    <>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        {[before, after].map((each) => (
          <figure key={each.version}>
            <figcaption className="mb-2 text-[0.8125rem] font-medium">
              Version {each.version}
              {each.version === template.currentVersion && <span className="text-muted">, current</span>}
            </figcaption>
            <SampleCard kind={template.kind} title={template.name} {...each} side={side} />
          </figure>
        ))}
      </div>
      {changes.length === 0 ? (
        <p className="mt-5 text-[0.8125rem] text-muted">Both versions are the same.</p>
      ) : (
        <ul className="mt-5 list-disc space-y-1 ps-5 text-[0.8125rem] wrap-anywhere" aria-label="What changed">
          {changes.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
    </>
  );
}
