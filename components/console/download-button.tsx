"use client";
import { Button, toast } from "@heroui/react";
import { Download } from "lucide-react";
import { useState } from "react";
import { problemOf } from "@/components/problem";

interface Props {
  /** The name of the saved file without its extension, e.g. "subjects". The date is appended. */
  name: string;
  label: string;
  open(): Promise<AsyncIterable<string>>;
}

/** Saves a file that the server streams. */
export function DownloadButton({ name, label, open }: Props) {
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const pieces: string[] = [];
      for await (const piece of await open()) pieces.push(piece);
      offer(
        new Blob(pieces, { type: "text/csv;charset=utf-8" }),
        `${name}-${new Date().toISOString().slice(0, 10)}.csv`,
      );
    } catch (error) {
      const { title, detail } = problemOf(error);
      toast.danger(title, { description: detail });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button variant="outline" size="sm" isPending={isPending} onPress={() => void save()}>
      <Download aria-hidden="true" /> {isPending ? "Preparing…" : label}
    </Button>
  );
}

/** Saves a file under a name. */
export function offer(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
