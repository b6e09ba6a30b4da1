"use client";
import { Button, Dropdown, Label, toast } from "@heroui/react";
import { useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { offer } from "@/components/console/download-button";
import { problemOf } from "@/components/problem";
import { useTRPC } from "@/components/trpc/client";

const files = {
  certificate: { label: "Certificate (PDF)", name: "certificate", ending: "pdf" },
  badgePng: { label: "Badge (PNG)", name: "badge", ending: "png" },
  badgeSvg: { label: "Badge (SVG)", name: "badge", ending: "svg" },
  document: { label: "Signed credential (JSON)", name: "credential", ending: "json" },
};
type FileId = keyof typeof files;

/** Saves the files of an academic credential. */
export function DownloadMenu({ id, code }: { id: string; code: string }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const { certificate, badgePng, badgeSvg, document } = trpc.credentials;
  const fresh = { staleTime: 0 };
  const read: Record<FileId, () => Promise<string>> = {
    certificate: () => client.fetchQuery(certificate.queryOptions({ id }, fresh)),
    badgePng: () => client.fetchQuery(badgePng.queryOptions({ id }, fresh)),
    badgeSvg: () => client.fetchQuery(badgeSvg.queryOptions({ id }, fresh)),
    document: () => client.fetchQuery(document.queryOptions({ id }, fresh)),
  };
  const save = async (file: FileId) => {
    setPending(true);
    try {
      offer(blobOf(await read[file]()), `${files[file].name}-${code}.${files[file].ending}`);
    } catch (error) {
      const { title, detail } = problemOf(error);
      toast.danger(title, { description: detail });
    } finally {
      setPending(false);
    }
  };
  return (
    <Dropdown>
      <Button variant="outline" isPending={isPending}>
        <Download aria-hidden="true" /> {isPending ? "Preparing…" : "Download"}
      </Button>
      <Dropdown.Popover placement="bottom end">
        <Dropdown.Menu aria-label="Download" onAction={(key) => void save(key as FileId)}>
          {Object.entries(files).map(([key, { label }]) => (
            <Dropdown.Item key={key} id={key} textValue={label}>
              <Label>{label}</Label>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}

/** Converts a data URL to a file. The page may not fetch data URLs (content security policy). */
function blobOf(url: string): Blob {
  const [head, base64] = url.split(",");
  const bytes = Uint8Array.from(atob(base64!), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: head!.slice("data:".length, -";base64".length) });
}
