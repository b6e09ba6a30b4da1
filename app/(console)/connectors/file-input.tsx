"use client";
import { Button } from "@heroui/react";
import { FileUp } from "lucide-react";
import { useRef } from "react";

interface Props {
  label: string;
  file: File | null;
  onChoose(file: File): void;
  problem: string | null;
  /** The file types that the browser offers; files of people by default. */
  accept?: string;
}

const lists = ".csv,.tsv,.txt,.gz,.zip,.xlsx,.jsonl,.ndjson,text/csv,text/tab-separated-values";

/** An input for a file. Shows the chosen file or what is wrong with it. */
export function FileInput({ label, file, onChoose, problem, accept = lists }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <div className="flex flex-wrap items-center gap-3">
        <Button variant="outline" onPress={() => input.current?.click()}>
          <FileUp aria-hidden="true" /> {file ? "Choose another file" : label}
        </Button>
        {file && <span className="min-w-0 text-[0.8125rem] wrap-anywhere text-muted">{file.name}</span>}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // Reset the input, so that a corrected file with the same name can be chosen again.
          target.value = "";
          if (chosen) onChoose(chosen);
        }}
      />
      <p role="alert" className="mt-2 text-[0.8125rem] text-danger empty:hidden">
        {problem}
      </p>
    </div>
  );
}
