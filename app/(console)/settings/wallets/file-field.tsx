"use client";
import { Button, Description, FieldError, Input, Label, TextArea, TextField } from "@heroui/react";
import { FileUp } from "lucide-react";
import { useRef, useState } from "react";

interface Props {
  name: string;
  label: string;
  description: string;
  /** The file name extensions that the file dialog offers. */
  accept: string;
  value: string;
  onChange(value: string): void;
}

/**
 * A field for a small text file, chosen or pasted. A chosen file is shown by its name. Binary files are encoded as base64.
 */
export function FileField({ name, label, description, accept, value, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState({ file: "", text: "" });
  const isFile = chosen.text !== "" && chosen.text === value;
  return (
    <TextField name={name} value={isFile ? chosen.file : value} onChange={onChange} isReadOnly={isFile} isRequired>
      <Label>{label}</Label>
      {isFile ? (
        <Input className="text-xs" />
      ) : (
        <TextArea rows={3} className="font-mono text-xs" spellCheck="false" autoComplete="off" />
      )}
      <Description>{description}</Description>
      <FieldError />
      <div className="mt-1">
        <Button variant="outline" size="sm" onPress={() => input.current?.click()}>
          <FileUp aria-hidden="true" /> {isFile ? "Choose another file" : "Choose file"}
        </Button>
        {isFile && (
          <Button variant="ghost" size="sm" onPress={() => onChange("")}>
            Remove
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept={accept}
          aria-label={`${label}: file`}
          className="hidden"
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = "";
            if (!file) return;
            void textOf(file).then((text) => {
              setChosen({ file: file.name, text });
              onChange(text);
            });
          }}
        />
      </div>
    </TextField>
  );
}

/** Reads a file as text, or as base64 if it is not text. Reads only 12,000 bytes, because these files have a few KB. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, 12_000).arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return btoa(String.fromCharCode(...bytes));
  }
}
