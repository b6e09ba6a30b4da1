"use client";
import { Button } from "@heroui/react";
import type { UseMutationOptions } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "@/components/ui/confirm";
import { useAction } from "./use-action";

interface Props<I, O, E> {
  /** The label of the button. It ends with "…", because a question follows. */
  button: string;
  /** The button's name for screen readers, if the label needs its context. */
  label?: string;
  variant?: "outline" | "ghost";
  title: ReactNode;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  confirm: string;
  /** Text that must be typed first. */
  typed?: { text: string; label: string };
  mutation: UseMutationOptions<O, E, I>;
  input: I;
  /** The text of the toast afterwards. */
  done: string;
}

/** A button for an action with consequences. Pressing it asks a question, which closes when the action is done. */
export function AskFirst<I, O, E>({
  button,
  label,
  variant = "outline",
  title,
  children,
  confirm,
  typed,
  mutation,
  input,
  done,
}: Props<I, O, E>) {
  const [isAsked, setAsked] = useState(false);
  const action = useAction(mutation, { done, onDone: () => setAsked(false) });
  const ask = () => {
    action.reset();
    setAsked(true);
  };
  return (
    <>
      <Button size="sm" variant={variant} onPress={ask} {...(label && { "aria-label": label })}>
        {button}
      </Button>
      <Confirm
        isOpen={isAsked}
        onOpenChange={setAsked}
        title={title}
        confirm={confirm}
        {...(typed && { typed })}
        isPending={action.isPending}
        problem={action.problem}
        onConfirm={() => action.run(input)}
      >
        {children}
      </Confirm>
    </>
  );
}
