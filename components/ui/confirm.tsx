"use client";
import { Button, Checkbox } from "@heroui/react";
import { useState, type ReactNode } from "react";
import type { Problem } from "@/components/problem";
import { Dialog, DialogActions } from "./dialog";
import { CancelButton, ProblemForm, TextInput } from "./fields";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  title: ReactNode;
  /** What will happen, to how many records, and whether it can be undone. */
  children: ReactNode;
  confirm: string;
  /** The label of the button that changes nothing, if "Cancel" could be mistaken for the action itself. */
  keep?: string;
  tone?: "danger" | "primary";
  isPending: boolean;
  problem: Problem | null;
  onConfirm(): void;
  /** Text that must be typed first, for an action that cannot be undone. */
  typed?: { text: string; label: string };
  /** The values of the fields among the children. */
  entered?: unknown;
}

/** Asks before an action with consequences. */
export function Confirm({ isOpen, onOpenChange, title, ...rest }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title={title}>
      <ConfirmBody {...rest} />
    </Dialog>
  );
}

type BodyProps = Omit<Props, "isOpen" | "onOpenChange" | "title">;

function ConfirmBody({
  children,
  confirm,
  keep,
  tone = "danger",
  isPending,
  problem,
  onConfirm,
  typed,
  entered = null,
}: BodyProps) {
  const [text, setText] = useState("");
  const ready = !typed || text.trim() === typed.text;
  // A field among the children takes the focus itself.
  const hasFields = entered !== null;
  return (
    <ProblemForm problem={problem} isPending={isPending} entered={entered} onSubmit={() => ready && onConfirm()}>
      <div className="space-y-3 text-[0.8125rem] leading-5 text-pretty">{children}</div>
      {typed && <TextInput label={typed.label} value={text} onChange={setText} mono autoFocus />}
      <DialogActions>
        <CancelButton {...(keep && { label: keep })} autoFocus={!typed && !hasFields && tone === "danger"} />
        <Button type="submit" variant={tone} isPending={isPending} isDisabled={!ready}>
          {confirm}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

/** A box to tick, with its words. */
export function Tick({
  isSelected,
  isIndeterminate,
  onChange,
  children,
  isDisabled,
  className = "",
}: {
  isSelected: boolean;
  isIndeterminate?: boolean;
  onChange(selected: boolean): void;
  children: ReactNode;
  isDisabled?: boolean;
  className?: string;
}) {
  return (
    <Checkbox
      isSelected={isSelected}
      isIndeterminate={isIndeterminate}
      onChange={onChange}
      isDisabled={isDisabled}
      className={className}
    >
      <Checkbox.Content className="items-start">
        <Checkbox.Control>
          <Checkbox.Indicator />
        </Checkbox.Control>
        <span className="min-w-0 text-[0.8125rem] font-normal">{children}</span>
      </Checkbox.Content>
    </Checkbox>
  );
}
