"use client";
import { Button } from "@heroui/react";
import { useState, type ReactNode } from "react";
import { Tick } from "./confirm";
import { CopyTextButton } from "./copy";
import { DialogActions } from "./dialog";
import { Notice } from "./notice";

interface Props {
  secrets: { label: string; value: string }[];
  /** What to do with the secret, if it is not to be stored. */
  advice?: string;
  /** The confirmation that the reader gives before it closes. */
  kept?: string;
  children?: ReactNode;
  onDone(): void;
}

const stored = "It cannot be shown again. Store it now where your other secrets are.";

/** Shows secrets once. It cannot be closed by accident: the reader confirms that the secrets were stored. */
export function SecretOnce({ secrets, advice = stored, kept = "I have stored it", children, onDone }: Props) {
  const [isKept, setKept] = useState(false);
  return (
    <div className="space-y-4">
      <Notice tone="warning" title="Shown once">
        {advice}
      </Notice>
      {secrets.map((secret) => (
        <div key={secret.label}>
          <p className="mb-1 text-[0.8125rem] font-medium">{secret.label}</p>
          <div className="flex flex-col gap-2 sm:flex-row sm:items-center">
            <code
              data-testid="secret"
              className="min-w-0 flex-1 rounded-lg border bg-surface-secondary px-3 py-1.5 font-mono text-xs leading-5 break-all select-all"
            >
              {secret.value}
            </code>
            <CopyTextButton text={secret.value} />
          </div>
        </div>
      ))}
      {children}
      <DialogActions>
        <Tick isSelected={isKept} onChange={setKept} className="me-auto">
          {kept}
        </Tick>
        <Button onPress={onDone} isDisabled={!isKept}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
