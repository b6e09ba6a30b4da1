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
import { PageHeader } from "@/components/ui/page-header";
import { SkeletonPage } from "@/components/ui/skeleton";
import type { RouterOutputs } from "@/server/trpc/root";
import { ContentForm } from "../../editor/content-form";
import { contentOf, enteredOf, labels, type Entered } from "../../editor/entered";

type Version = RouterOutputs["achievements"]["get"]["version"];

/** Edits the newest version if it is a draft; otherwise makes a new version from the current one. */
export function EditAchievement({ id }: { id: string }) {
  const trpc = useTRPC();
  const achievement = useQuery(trpc.achievements.get.queryOptions({ id }));
  const versions = useQuery(trpc.achievements.versions.list.queryOptions({ id, limit: 1 }));
  const newest = versions.data?.data[0];
  const draft = useQuery(
    trpc.achievements.versions.get.queryOptions(
      newest?.status === "draft" ? { id, version: newest.version } : skipToken,
    ),
  );
  const from = newest?.status === "draft" ? draft.data : achievement.data?.version;
  // The form stays while a colleague's new draft is loading, or if it cannot be loaded: the form below holds what was
  // entered.
  const [basis, setBasis] = useState<Basis>();
  if (from && newest && (from !== basis?.from || newest.version !== basis.newest))
    setBasis({ from, newest: newest.version, etag: draft.data?.etag });
  const error = achievement.error ?? versions.error ?? draft.error;
  if (!achievement.data || !basis)
    return error ? (
      <Failure
        error={error}
        onRetry={() => void Promise.all([achievement.refetch(), versions.refetch(), draft.refetch()])}
      />
    ) : (
      <SkeletonPage />
    );
  return (
    <Reloadable>{(reload) => <Editor achievement={achievement.data} basis={basis} onReload={reload} />}</Reloadable>
  );
}

/** The basis of the next save: the version with which the form began, and the number of the newest version. */
interface Basis {
  from: Version;
  newest: number;
  /** The ETag of a draft, which a save changes. */
  etag: string | undefined;
}

function Editor({
  achievement,
  basis: now,
  onReload,
}: {
  achievement: RouterOutputs["achievements"]["get"];
  basis: Basis;
  onReload(): void;
}) {
  const trpc = useTRPC();
  const router = useRouter();
  const [entered, setEntered] = useState(() => enteredOf(now.from));
  const back = () => router.push(`/achievements/${achievement.id}`);
  const create = useAction(trpc.achievements.versions.create.mutationOptions(), {
    done: (made) => (made.status === "published" ? `Version ${made.version} published` : "Draft saved"),
    onDone: back,
  });
  const publish = useAction(trpc.achievements.versions.publish.mutationOptions(), {
    done: (made) => `Version ${made.version} published`,
    onDone: back,
  });
  const save = useAction(trpc.achievements.versions.update.mutationOptions(), { done: "Draft saved", onDone: back });
  const saveThenPublish = useAction(trpc.achievements.versions.update.mutationOptions(), {
    onDone: ({ version }) => publish.run({ id: achievement.id, version }),
  });
  const actions = [create, publish, save, saveThenPublish];
  const problem = actions.map((action) => action.problem).find((each) => each !== null) ?? null;
  const { basis, ifMatch, conflict } = useBasis({
    record: now,
    shown: ({ from }): Entered => enteredOf(from),
    stamp: ({ from: { version, status }, newest }) => [version, status, newest],
    entered,
    onMerge: setEntered,
    labels,
    action: { problem, reset: () => actions.forEach((action) => action.reset()) },
    reload: onReload,
  });
  const { from, newest } = basis ?? now;
  const isDraft = from.status === "draft";
  const number = isDraft ? from.version : newest + 1;
  const change = { id: achievement.id, version: number, ifMatch, ...contentOf(entered) };
  const made = { id: achievement.id, basedOn: newest, ...contentOf(entered) };
  const busy = actions.some((action) => action.isPending);
  return (
    <ProblemForm
      problem={problem}
      isPending={busy}
      entered={entered}
      onSubmit={() => (isDraft ? save.run(change) : create.run(made))}
      conflict={conflict}
    >
      <PageHeader
        trail={[
          { label: "Achievements", href: "/achievements" },
          { label: achievement.name, href: `/achievements/${achievement.id}` },
        ]}
        title={`Version ${number}`}
        description={
          isDraft
            ? "A draft. No credential states it until it is published."
            : `A new version, begun from version ${from.version}. Credentials that exist keep theirs.`
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
      <ContentForm entered={entered} onChange={setEntered} />
    </ProblemForm>
  );
}
