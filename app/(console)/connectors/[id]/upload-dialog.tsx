"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Choice } from "@/components/ui/choice";
import { CancelButton, ProblemForm } from "@/components/ui/fields";
import { FileInput } from "../file-input";
import { packFile, UnfitFile } from "../pack-file";
import type { Connector } from "../words";
import { everyChange, FilePreview, type Preview, type Shown } from "./file-preview";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  connector: Connector;
}

export function UploadDialog({ isOpen, onOpenChange, connector }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Upload a file" size="lg">
      <UploadForm connector={connector} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

const extents = [
  { value: "all", label: "Everybody", description: "As the files of this connector do." },
  { value: "some", label: "Some people alone", description: "Such as corrected rows. Nobody is missing from it." },
] as const;

function UploadForm({ connector, onDone }: { connector: Connector; onDone(): void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [file, setFile] = useState<File | null>(null);
  const [unfit, setUnfit] = useState<string | null>(null);
  const [isPartial, setPartial] = useState(false);
  const [isReading, setReading] = useState(false);
  const [told, setTold] = useState<Preview | null>(null);
  const [shown, setShown] = useState<Shown>("all");
  const action = useAction(trpc.connectors.upload.mutationOptions(), {
    done: "File uploaded",
    onDone: ({ id }) => {
      onDone();
      router.push(`/connectors/${connector.id}/runs/${id}`);
    },
  });
  const preview = useAction(trpc.connectors.preview.mutationOptions(), {
    keepsData: true,
    writesNothing: true,
    onDone: (next, { cursor, actions }) => {
      setShown(actions?.length === 1 ? actions[0]! : "all");
      setTold((before) => (cursor && before ? { ...next, data: [...before.data, ...next.data] } : next));
    },
  });
  const withFile = async (use: (packed: string) => void) => {
    if (!file) return;
    setReading(true);
    try {
      use(await packFile(file));
    } catch (error) {
      if (!(error instanceof UnfitFile)) throw error;
      setUnfit(error.message);
    } finally {
      setReading(false);
    }
  };
  const mode = isPartial ? { mode: "delta" as const } : {};
  const ask = (which: Shown, cursor?: string) =>
    void withFile((packed) =>
      preview.run({
        connectorId: connector.id,
        file: packed,
        ...mode,
        actions: which === "all" ? everyChange : [which],
        ...(cursor && { cursor }),
      }),
    );
  const isPending = isReading || action.isPending || preview.isPending;
  return (
    <ProblemForm
      problem={action.problem ?? preview.problem}
      isPending={isPending}
      entered={file?.name ?? ""}
      onSubmit={() => void withFile((packed) => action.run({ id: connector.id, file: packed, ...mode }))}
    >
      <p className="text-[0.8125rem] text-pretty text-muted">
        CSV, Excel (.xlsx) or JSON lines with the columns of the mapping, also as gzip or zip.{" "}
        {connector.mode === "full" && connector.missing === "deactivate" && !isPartial
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
          setTold(null);
          setShown("all");
          preview.reset();
        }}
      />
      {connector.mode === "full" && (
        <Choice
          label="This file lists"
          value={isPartial ? "some" : "all"}
          onChange={(next: "all" | "some") => {
            setPartial(next === "some");
            setTold(null);
          }}
          options={extents}
          className="max-w-sm"
        />
      )}
      {told && (
        <FilePreview
          told={told}
          shown={shown}
          isPending={preview.isPending || isReading}
          onShow={(next) => {
            // While one page is loading, no other page can be requested.
            if (isPending) return;
            ask(next);
          }}
          onMore={(cursor) => ask(shown, cursor)}
        />
      )}
      <DialogActions>
        <CancelButton />
        <Button
          variant="outline"
          isPending={preview.isPending}
          isDisabled={!file || isPending || told !== null}
          onPress={() => ask(shown)}
        >
          Preview
        </Button>
        <Button type="submit" isPending={isReading || action.isPending} isDisabled={!file || preview.isPending}>
          Upload
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}
