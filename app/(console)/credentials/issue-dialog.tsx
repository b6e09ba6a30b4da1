"use client";
import { Dialog } from "@/components/ui/dialog";
import type { SubjectView } from "@/server/subjects/view";
import { IssueForm } from "./issue-form";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** The person to issue to, if already known. */
  subject?: SubjectView;
  /** Called with the path of the new credential's page. */
  onDone?(href: string): void;
}

export function IssueDialog({ isOpen, onOpenChange, subject, onDone }: Props) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      size="2xl"
      title="Issue a credential"
      description={
        subject && (
          <>
            To <bdi>{subject.displayName || subject.externalId}</bdi>
          </>
        )
      }
    >
      <IssueForm
        subject={subject}
        onDone={(href) => {
          onOpenChange(false);
          onDone?.(href);
        }}
      />
    </Dialog>
  );
}
