"use client";
import { Button } from "@heroui/react";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { Reloadable, useBasis } from "@/components/console/use-basis";
import { useTRPC } from "@/components/trpc/client";
import { Failure } from "@/components/ui/failure";
import { ProblemForm, SendButton } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import type { RouterOutputs } from "@/server/trpc/root";
import { PublishWords } from "../../publish-words";
import { DesignForm } from "../../editor/design-form";
import type { Draft } from "../../editor/draft";

type Version = RouterOutputs["templates"]["get"]["version"];

/** Edits the newest version if it is a draft; otherwise makes a new version from the current one. */
export function EditTemplate({ id }: { id: string }) {
  const trpc = useTRPC();
  const template = useQuery(trpc.templates.get.queryOptions({ id }));
  const versions = useQuery(trpc.templates.versions.list.queryOptions({ id, limit: 1 }));
  const newest = versions.data?.data[0];
  const draft = useQuery(
    trpc.templates.versions.get.queryOptions(newest?.status === "draft" ? { id, version: newest.version } : skipToken),
  );
  const from = newest?.status === "draft" ? draft.data : template.data?.version;
  // The form stays while a colleague's new draft is loading, or if it cannot be loaded: the form below holds what was
  // entered.
  const [basis, setBasis] = useState<Basis>();
  if (from && newest && (from !== basis?.from || newest.version !== basis.newest))
    setBasis({ from, newest: newest.version, etag: draft.data?.etag });
  const error = template.error ?? versions.error ?? draft.error;
  if (!template.data || !basis)
    return error ? (
      <Failure
        error={error}
        onRetry={() => void Promise.all([template.refetch(), versions.refetch(), draft.refetch()])}
      />
    ) : (
      <SkeletonPage />
    );
  return <Reloadable>{(reload) => <Editor template={template.data} basis={basis} onReload={reload} />}</Reloadable>;
}

/** The basis of the next save: the version with which the form began, and the number of the newest version. */
interface Basis {
  from: Version;
  newest: number;
  /** The ETag of a draft, which a save changes. */
  etag: string | undefined;
}

/** The part of a version that the form changes. */
const draftOf = ({ design, validity, achievementId }: Version): Draft => ({ design, validity, achievementId });

function Editor({
  template,
  basis: now,
  onReload,
}: {
  template: RouterOutputs["templates"]["get"];
  basis: Basis;
  onReload(): void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const [draft, setDraft] = useState<Draft>(() => draftOf(now.from));
  const back = () => router.push(`/templates/${template.id}`);
  const create = useAction(trpc.templates.versions.create.mutationOptions(), {
    done: (made) => (made.status === "published" ? `Version ${made.version} published` : "Draft saved"),
    onDone: back,
  });
  const publish = useAction(trpc.templates.versions.publish.mutationOptions(), {
    done: (made) => `Version ${made.version} published`,
    onDone: back,
  });
  const save = useAction(trpc.templates.versions.update.mutationOptions(), { done: "Draft saved", onDone: back });
  const saveThenPublish = useAction(trpc.templates.versions.update.mutationOptions(), {
    onDone: ({ version }) => publish.run({ id: template.id, version }),
  });
  const actions = [create, publish, save, saveThenPublish];
  const problem = actions.map((action) => action.problem).find((each) => each !== null) ?? null;
  const { basis, ifMatch, conflict } = useBasis({
    record: now,
    shown: ({ from }) => draftOf(from),
    stamp: ({ from: { version, status }, newest }) => [version, status, newest],
    entered: draft,
    onMerge: setDraft,
    labels: { design: "Design", validity: "Validity", achievementId: "Achievement" },
    action: { problem, reset: () => actions.forEach((action) => action.reset()) },
    reload: onReload,
  });
  const { from, newest } = basis ?? now;
  const isDraft = from.status === "draft";
  const number = isDraft ? from.version : newest + 1;
  const change = { id: template.id, version: number, ifMatch, ...draft };
  const made = { id: template.id, basedOn: newest, ...draft };
  const busy = actions.some((action) => action.isPending);
  return (
    <ProblemForm
      problem={problem}
      isPending={busy}
      entered={draft}
      onSubmit={() => (isDraft ? save.run(change) : create.run(made))}
      conflict={conflict}
    >
      <PageHeader
        trail={[
          { label: "Templates", href: "/templates" },
          { label: template.name, href: `/templates/${template.id}` },
        ]}
        title={`Version ${number}`}
        description={
          isDraft
            ? "A draft. Nothing is issued from it until it is published."
            : `A new version, begun from version ${from.version}.`
        }
        actions={
          <>
            <Button type="submit" variant="outline" isDisabled={busy}>
              Save draft
            </Button>
            <SendButton
              isPending={busy}
              onSend={() => (isDraft ? saveThenPublish.run(change) : create.run({ ...made, publish: true }))}
            >
              Publish
            </SendButton>
          </>
        }
      />
      {template.currentVersion !== null && (
        <Notice title="When you publish" className="mb-5">
          <PublishWords template={template} isDraft />
        </Notice>
      )}
      <DesignForm kind={template.kind} title={template.name} draft={draft} onChange={setDraft} />
    </ProblemForm>
  );
}
