"use client";
import { Button } from "@heroui/react";
import { Trash2, UserRound } from "lucide-react";
import { useEffect, useId, useRef, useState, type DragEvent } from "react";
import { pictureTypes, readPicture, UnfitPicture } from "@/components/console/read-picture";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Confirm } from "@/components/ui/confirm";
import { Panel } from "@/components/ui/panel";
import { photoWords } from "@/server/subjects/photo-limits";
import type { RouterOutputs } from "@/server/trpc/root";
import { PhotoDecision } from "../photo-decision";
import { usePhoto } from "../use-photo";
import { usePhotoDecisions } from "../use-photo-decisions";

/** The browser opens a file that is dropped next to the drop zone instead of the page, so prevent that. */
function keepFilesFromOpening() {
  const keep = (event: globalThis.DragEvent) => event.dataTransfer?.types.includes("Files") && event.preventDefault();
  window.addEventListener("dragover", keep);
  window.addEventListener("drop", keep);
  return () => {
    window.removeEventListener("dragover", keep);
    window.removeEventListener("drop", keep);
  };
}

/** Shows a person's portrait and the actions on it. */
export function Photo({ subject, canWrite }: { subject: RouterOutputs["subjects"]["get"]; canWrite: boolean }) {
  const { id, displayName, externalId, photoUpdatedAt, photoStatus, photoReason, awaitsPhotoApproval } = subject;
  const trpc = useTRPC();
  const name = displayName || externalId;
  const shown = usePhoto(subject);
  const limits = useId();
  const set = useAction(trpc.subjects.setPhoto.mutationOptions(), { done: "Photo saved" });
  const remove = useAction(trpc.subjects.deletePhoto.mutationOptions(), {
    done: "Photo removed",
    onDone: () => setRemoving(false),
  });
  const input = useRef<HTMLInputElement>(null);
  const [removing, setRemoving] = useState(false);
  const [unfit, setUnfit] = useState("");
  const [over, setOver] = useState(false);
  const decisions = usePhotoDecisions();
  const choose = async (file: File | undefined) => {
    if (!file || set.isPending) return;
    setUnfit("");
    set.reset();
    try {
      set.run({ id, photo: await readPicture(file) });
    } catch (error) {
      if (!(error instanceof UnfitPicture)) throw error;
      setUnfit(error.message);
    }
  };
  const dropping = {
    onDragOver: (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => setOver(event.currentTarget.contains(event.relatedTarget as Node | null)),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      void choose(event.dataTransfer.files[0]);
    },
  };
  useEffect(keepFilesFromOpening, []);
  const failure = unfit || set.problem?.detail;
  const picture =
    photoUpdatedAt && shown ? (
      <img src={shown} alt={name} className="size-full object-cover" />
    ) : (
      <UserRound className="size-9 text-muted" aria-hidden="true" />
    );
  return (
    <Panel title="Photo">
      <div
        role="group"
        aria-label="Photo"
        className={`flex items-start gap-4 rounded-lg ${over ? "outline-2 outline-offset-8 outline-accent outline-dashed" : ""}`}
        {...(canWrite && dropping)}
      >
        <span
          className={`grid h-40 w-30 shrink-0 place-items-center overflow-hidden rounded-lg border ${over ? "border-accent bg-accent-soft" : "bg-surface-secondary"}`}
        >
          {picture}
        </span>
        <div className="min-w-0 space-y-3 text-sm">
          <p className="text-pretty text-muted">
            {photoUpdatedAt
              ? "Cropped to 3:4. Details in the file, such as where it was taken, were removed."
              : canWrite
                ? "No photo yet. Drop one here or choose it. It is cropped to 3:4."
                : "No photo yet."}
          </p>
          {canWrite && (
            <p id={limits} className="text-xs text-pretty text-muted">
              {photoWords}
            </p>
          )}
          {canWrite && (
            <div className="flex flex-wrap gap-2">
              <Button
                variant="outline"
                size="sm"
                aria-describedby={limits}
                isPending={set.isPending}
                onPress={() => input.current?.click()}
              >
                {set.isPending ? "Saving…" : photoUpdatedAt ? "Replace" : "Choose photo"}
              </Button>
              {photoUpdatedAt && (
                <Button
                  variant="ghost"
                  size="sm"
                  isIconOnly
                  aria-label="Remove photo"
                  onPress={() => setRemoving(true)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              )}
            </div>
          )}
          {failure && (
            <p role="alert" className="text-xs text-pretty text-danger">
              {failure}
            </p>
          )}
        </div>
      </div>
      {photoUpdatedAt && photoStatus === "rejected" && (
        <div className="mt-4 rounded-lg border border-danger/25 bg-danger-soft p-3 text-[0.8125rem] text-danger-soft-foreground">
          <p className="font-medium">Rejected</p>
          <p className="mb-3 text-pretty wrap-anywhere">
            {photoReason?.replace(/[.!?]$/, "")}. No card shows this photo.
          </p>
          {canWrite && (
            <PhotoDecision subject={subject} photoUpdatedAt={photoUpdatedAt} isRejected decisions={decisions} />
          )}
        </div>
      )}
      {photoUpdatedAt && awaitsPhotoApproval && (
        <div className="mt-4 rounded-lg border border-warning/40 bg-warning-soft p-3 text-[0.8125rem] text-warning-soft-foreground">
          <p className="font-medium">Waiting for approval</p>
          <p className="mb-3 text-pretty">Cards that they hold show the photo once it is approved.</p>
          {canWrite && <PhotoDecision subject={subject} photoUpdatedAt={photoUpdatedAt} decisions={decisions} />}
        </div>
      )}
      <input
        ref={input}
        type="file"
        accept={pictureTypes}
        aria-label="Photo"
        tabIndex={-1}
        className="hidden"
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      {decisions.dialogs}
      <Confirm
        isOpen={removing}
        onOpenChange={setRemoving}
        title={
          <>
            Remove the photo of <bdi>{name}</bdi>?
          </>
        }
        confirm="Remove photo"
        isPending={remove.isPending}
        problem={remove.problem}
        onConfirm={() => remove.run({ id })}
      >
        <p>It is no longer shown anywhere, and its files are deleted within two hours. This can’t be undone.</p>
      </Confirm>
    </Panel>
  );
}
