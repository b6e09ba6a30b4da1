"use client";
import type { TemplateKind } from "@/server/templates/view";
import { liveCredentials, useLiveCount } from "./live-count";

interface Props {
  template: { id: string; kind: TemplateKind; currentVersion: number | null };
  /** Whether the version was never published. */
  isDraft: boolean;
}

/** Says what publishing a version does, and to how many credentials. */
export function PublishWords({ template: { id, kind, currentVersion }, isDraft }: Props) {
  const live = useLiveCount(id);
  return (
    <>
      <p>
        New credentials are issued from it from now on
        {currentVersion !== null && `, in place of version ${currentVersion}`}.{" "}
        {isDraft && "A published version cannot be changed; make another one instead."}
      </p>
      <p>{liveWords(live, kind)}</p>
    </>
  );
}

function liveWords(live: number | undefined, kind: TemplateKind): string {
  if (live === undefined) return "Credentials that exist keep their design and what it makes public.";
  if (live === 0) return "No live credential of this template exists, so nobody’s card changes.";
  const keep = live === 1 ? "keeps its design" : "keep their design";
  return kind === "academic"
    ? `${liveCredentials(live)} ${keep} for good: an academic credential stays as it was issued. Reissue one to give it the new design.`
    : `${liveCredentials(live)} ${keep}. Afterwards you can show the new one on all of them at once, under Versions.`;
}
