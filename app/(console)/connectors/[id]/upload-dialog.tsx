"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { FileInput } from "../file-input";
import { packFile, UnfitFile } from "../pack-file";
import type { Connector } from "../words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  connector: Connector;
}

export function UploadDialog({ isOpen, onOpenChange, connector }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Upload a file">
      <UploadForm connector={connector} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function UploadForm({ connector, onDone }: { connector: Connector; onDone(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [isReading, setReading] = useState(false);
  const action = useAction(trpc.connectors.upload.mutationOptions(), {
    done: "File uploaded",
    onDone: ({ id }) => {
      onDone();
      router.push(`/connectors/${connector.id}/runs/${id}`);
    },
  });
  const send = async () => {
    if (!file) return;
    setReading(true);
    try {
      action.run({ id: connector.id, file: await packFile(file) });
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error;
      setUnfit(error.message);
    } finally {
      setReading(false);
    }
  };
  const isPending = isReading || action.isPending;
  return (
    <ProblemForm problem={action.problem} isPending={isPending} entered={file?.name ?? ""} onSubmit={() => void send()}>
      <p className="text-[0.8125rem] text-pretty text-muted">
        CSV with the columns of the mapping.{" "}
        {connector.mode === "full" && connector.missing === "deactivate"
          ? "It must list everybody: whoever is missing from it, and comes from no other source, is deactivated."
          : "Nobody is deactivated for being missing from it."}
      </p>
      <FileInput
        label="Choose a file"
        file={file}
        problem={unfit}
        onChoose={(chosen) => {
          setFile(chosen);
          setUnfit(null);
        }}
      />
      <DialogActions>
        <CancelButton />
        <Button type="submit" isPending={isPending} isDisabled={!file}>
          Upload
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
