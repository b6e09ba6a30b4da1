"use client";
import { Button } from "@heroui/react";
import { ImagePlus, Trash2 } from "lucide-react";
import { useId, useRef, useState } from "react";
import { readImage } from "./image";

interface Props {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
  maxKibibytes: number;
  maxSide: number;
  description: string;
}

/** A picture that becomes part of the design. */
export function ImageInput({ label, value, onChange, maxKibibytes, maxSide, description }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [failed, setFailed] = useState(false);
  const choose = async (file: File | undefined) => {
    if (!file) return;
    try {
      onChange(await readImage(file, { maxKibibytes, maxSide }));
      setFailed(false);
    } catch {
      setFailed(true);
    }
  };
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className="mb-1 text-[0.8125rem] font-medium">
        {label}
      </p>
      <div className="flex items-center gap-3">
        <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-lg border bg-surface-secondary">
          {value ? (
            <img src={value} alt="" className="max-h-full max-w-full object-contain" />
          ) : (
            <ImagePlus className="size-5 text-muted" aria-hidden="true" />
          )}
        </span>
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" size="sm" onPress={() => input.current?.click()}>
            {value ? "Replace" : "Choose picture"}
          </Button>
          {value && (
            <Button
              variant="ghost"
              size="sm"
              isIconOnly
              aria-label={`Remove ${label.toLowerCase()}`}
              onPress={() => onChange(undefined)}
            >
              <Trash2 aria-hidden="true" />
            </Button>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        tabIndex={-1}
        aria-hidden="true"
        className="hidden"
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      <p className={`mt-1 text-xs ${failed ? "text-danger" : "text-muted"}`} role={failed ? "alert" : undefined}>
        {failed ? "This file cannot be read as a picture." : description}
      </p>
    </div>
  );
}
