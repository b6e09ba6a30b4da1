"use client";
import { Button } from "@heroui/react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { ProblemForm } from "@/components/ui/fields";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import type { RouterOutputs } from "@/server/trpc/root";
import { DesignForm, type Draft } from "../../editor/design-form";

type Version = RouterOutputs["templates"]["get"]["version"];

/** Edits the newest version where it is a draft, else makes the next one from the current. */
export function EditTemplate({ id }: { id: string }) {
  const trpc = useTRPC();
  const template = useQuery(trpc.templates.get.queryOptions({ id }));
  const versions = useQuery(trpc.templates.versions.list.queryOptions({ id, limit: 1 }));
  const newest = versions.data?.data[0];
  const draft = useQuery(trpc.templates.versions.get.queryOptions(newest?.status === "draft" ? { id, version: newest.version } : skipToken));
  const error = template.error ?? versions.error ?? draft.error;
  if (error) return <Failure error={error} onRetry={() => void Promise.all([template.refetch(), versions.refetch()])} />;
  if (!template.data || !newest || (newest.status === "draft" && !draft.data)) return <SkeletonPage />;
  const { data } = template;
  return <Reloadable key={newest.id}>{(reload) => <Editor template={data} from={draft.data ?? data.version} next={newest.version + 1} onReload={reload} />}</Reloadable>;
}

function Editor({ template, from, next, onReload }: { template: RouterOutputs["templates"]["get"]; from: Version & { etag?: string }; next: number; onReload(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>({ design: from.design, validity: from.validity });
  const isDraft = from.status === "draft";
  const number = isDraft ? from.version : next;
  const back = () => router.push(`/templates/${template.id}`);
  const create = useAction(trpc.templates.versions.create.mutationOptions(), { done: (made) => (made.status === "published" ? `Version ${made.version} published` : "Draft saved"), onDone: back });
  const publish = useAction(trpc.templates.versions.publish.mutationOptions(), { done: `Version ${number} published`, onDone: back });
  const save = useAction(trpc.templates.versions.update.mutationOptions(), { done: "Draft saved", onDone: back });
  const saveThenPublish = useAction(trpc.templates.versions.update.mutationOptions(), { onDone: () => publish.run({ id: template.id, version: number }) });
  const { ifMatch, conflict } = useBasis(from, [from.design, from.validity], { reset: () => [save, saveThenPublish].forEach((action) => action.reset()) }, onReload);
  const at = { id: template.id, version: number, ifMatch };
  const busy = [create, publish, save, saveThenPublish].some((action) => action.isPending);
  const problem = create.problem ?? save.problem ?? saveThenPublish.problem ?? publish.problem;
  return (
    <ProblemForm problem={problem} isPending={busy} entered={draft} onSubmit={() => (isDraft ? save.run({ ...at, ...draft }) : create.run({ id: template.id, ...draft }))} conflict={conflict}>
      <PageHeader
        trail={[{ label: "Templates", href: "/templates" }, { label: template.name, href: `/templates/${template.id}` }]}
        title={`Version ${number}`}
        description={isDraft ? "A draft. Nothing is issued from it until it is published." : `A new version, begun from version ${from.version}. Credentials that exist keep theirs.`}
        actions={
          <>
            <Button type="submit" variant="outline" isDisabled={busy}>Save draft</Button>
            <Button isPending={busy} onPress={() => (isDraft ? saveThenPublish.run({ ...at, ...draft }) : create.run({ id: template.id, ...draft, publish: true }))}>Publish</Button>
          </>
        }
      />
      <DesignForm kind={template.kind} title={template.name} draft={draft} onChange={setDraft} />
    </ProblemForm>
  );
}
