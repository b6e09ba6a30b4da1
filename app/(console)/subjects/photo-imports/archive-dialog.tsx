"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { sendFile } from "@/components/trpc/send-file";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import type { PhotoImportView } from "@/server/photos/view";
import { FileInput } from "../../connectors/file-input";
import { photosOf } from "./words";

const mebibyte = 1024 * 1024;
const limit = 512 * mebibyte;

export function ArchiveDialog({ isOpen, onOpenChange }: { isOpen: boolean; onOpenChange(open: boolean): void }) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Upload photos" size="lg">
      <ArchiveForm onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function ArchiveForm({ onDone }: { onDone(): void }) {
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [sent, setSent] = useState(0);
  const action = useAction(
    { mutationFn: (archive: File) => sendFile<PhotoImportView>("/api/photo-imports", archive, setSent) },
    {
      goesOn: true,
      done: ({ counts }) => `Uploaded: ${photosOf(counts.total)} to import`,
      onDone: ({ id }) => {
        onDone();
        router.push(`/subjects/photo-imports/${id}`);
      },
    },
  );
  const wrong = action.problem?.errors?.[0]?.message ?? null;
  return (
    <ProblemForm
      problem={wrong ? null : action.problem}
      isPending={action.isPending}
      entered={file?.name ?? ""}
      onSubmit={() => file && action.run(file)}
    >
      <div className="space-y-2 text-[0.8125rem] text-pretty text-muted">
        <p>
          A ZIP of up to 512 MB and 10,000 photos. Name each photo after the person’s id in your own systems, such as{" "}
          <b>s-1001.jpg</b>. Folders in the archive do not matter.
        </p>
        <p>
          JPEG, PNG or WebP, up to 10 MB each. A photo replaces the one that the person has. Where a card asks for it,
          new photos wait for approval first.
        </p>
      </div>
      <FileInput
        label="Choose a ZIP"
        file={file}
        problem={unfit ?? wrong}
        accept=".zip,application/zip"
        onChoose={(chosen) => {
          setUnfit(problemWith(chosen));
          setFile(chosen);
          setSent(0);
          action.reset();
        }}
      />
      {action.isPending && (
        <p className="text-[0.8125rem] text-muted tabular-nums" aria-live="polite">
          {sent < 1 ? `Sending: ${Math.floor(sent * 100)} %` : "Sent. The archive is being looked at."}
        </p>
      )}
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={action.isPending} isDisabled={!file || unfit !== null}>
          Upload
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

function problemWith({ name, size }: File): string | null {
  if (size === 0) return `“${name}” is empty. Choose another file.`;
  if (size > limit)
    return `“${name}” has ${Math.ceil(size / mebibyte)} MB. Divide the photos into archives of at most 512 MB.`;
  return null;
}
