"use client";
import { Reloadable } from "@/components/console/use-basis";
import { Dialog } from "@/components/ui/dialog";
import { PolicyForm } from "./policy-form";
import type { Policy } from "./words";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The policy to change. Without it, a new policy is created. */
  policy?: Policy;
  onDone?(policy: { id: string }): void;
}

export function PolicyDialog({ isOpen, onOpenChange, policy, onDone }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} size="lg" title={policy ? "Edit policy" : "New policy"}>
      <Reloadable>
        {(reload) => (
          <PolicyForm
            policy={policy}
            onReload={reload}
            onDone={(made) => {
              onOpenChange(false);
              onDone?.(made);
            }}
          />
        )}
      </Reloadable>
    </Dialog>
  );
}
