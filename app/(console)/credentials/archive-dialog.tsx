"use client";
import { Button } from "@heroui/react";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { offer } from "@/components/console/download-button";
import { zipComment } from "@/components/console/zip-comment";
import { problemOf } from "@/components/problem";
import { postedAndStreamed, useTRPCClient } from "@/components/trpc/client";
import { Tick } from "@/components/ui/confirm";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import type { RouterInputs } from "@/server/trpc/root";

type Input = RouterInputs["credentials"]["archive"];
type Format = NonNullable<Input["formats"]>[number];

const formats: { format: Format; label: string; about: string }[] = [
  { format: "pdf", label: "Certificates (PDF)", about: "to print and to file; these take the longest" },
  { format: "png", label: "Badges (PNG)", about: "pictures with the signed document inside" },
  { format: "json", label: "Signed documents (JSON)", about: "for other systems that verify" },
];

/** The maximum of the API. */
const most = 10_000;

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The number of credentials in the archive; undefined while they are counted. */
  count: number | undefined;
  /** The chosen credentials: their ids, or the filters of the list. */
  which: Omit<Input, "formats">;
}

/** Asks which files of many credentials to download, and downloads them as one ZIP archive. */
export function ArchiveDialog({ isOpen, onOpenChange, ...rest }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={rest.count === 1 ? "Download the files of 1 credential" : `Download the files of ${told(rest.count)}`}
    >
      <ArchiveForm {...rest} close={() => onOpenChange(false)} />
    </Dialog>
  );
}

const told = (count: number | undefined) =>
  count === undefined ? "these credentials" : `${count.toLocaleString("en")} credentials`;

function ArchiveForm({ count, which, close }: Pick<Props, "count" | "which"> & { close(): void }) {
  const client = useTRPCClient();
  const [chosen, setChosen] = useState<ReadonlySet<Format>>(new Set(["pdf"]));
  const [received, setReceived] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  /** What the saved archive says about missing files. */
  const [missing, setMissing] = useState<string | null>(null);
  const ending = useRef<AbortController | null>(null);
  // Closing the dialog ends the download.
  useEffect(() => () => ending.current?.abort(), []);
  const tick = (format: Format, isSelected: boolean) => {
    const next = new Set(chosen);
    if (isSelected) next.add(format);
    else next.delete(format);
    setChosen(next);
  };
  const download = async () => {
    const { signal } = (ending.current = new AbortController());
    setFailure(null);
    setMissing(null);
    setReceived(0);
    try {
      const input = { ...which, formats: [...chosen] };
      const pieces: Blob[] = [];
      let bytes = 0;
      for await (const piece of await client.credentials.archive.query(input, { ...postedAndStreamed, signal })) {
        const blob = new Blob([Uint8Array.from(atob(piece), (character) => character.charCodeAt(0))]);
        pieces.push(blob);
        setReceived((bytes += blob.size));
      }
      if (signal.aborted) return;
      const archive = new Blob(pieces, { type: "application/zip" });
      const comment = await zipComment(archive);
      offer(archive, `credentials-${new Date().toISOString().slice(0, 10)}.zip`);
      if (comment === "") return close();
      setMissing(comment);
      setReceived(null);
    } catch (error) {
      if (signal.aborted) return;
      setFailure(problemOf(error).detail);
      setReceived(null);
    }
  };
  const isTooMany = count !== undefined && count > most;
  return (
    <div className="space-y-4 text-[0.8125rem] leading-5">
      <p>
        Academic credentials have these files. The archive also has <code className="font-mono text-xs">index.csv</code>
        , a table of all credentials with their codes, links and files, or why a file is missing. Cards and memberships
        are in the table alone.
      </p>
      <div className="space-y-2">
        {formats.map(({ format, label, about }) => (
          <Tick
            key={format}
            isSelected={chosen.has(format)}
            onChange={(isSelected) => tick(format, isSelected)}
            isDisabled={received !== null}
          >
            {label} <span className="text-muted">{about}</span>
          </Tick>
        ))}
      </div>
      {isTooMany && (
        <Notice tone="warning" title={`An archive has at most ${most.toLocaleString("en")} credentials`}>
          Filter the list by template or state first, or choose credentials in it.
        </Notice>
      )}
      {failure && (
        <Notice tone="danger" title="The archive is not complete">
          {failure} Nothing was saved.
        </Notice>
      )}
      {missing && (
        <Notice tone="warning" title="The archive was saved without some files">
          {missing}
        </Notice>
      )}
      <DialogActions>
        <Button variant="outline" onPress={close}>
          {missing ? "Close" : "Cancel"}
        </Button>
        <Button
          isPending={received !== null}
          isDisabled={chosen.size === 0 || isTooMany || count === 0}
          onPress={() => void download()}
        >
          <Download aria-hidden="true" />{" "}
          {received === null ? "Download ZIP" : `Preparing… ${(received / 1e6).toFixed(1)} MB`}
        </Button>
      </DialogActions>
    </div>
  );
}
