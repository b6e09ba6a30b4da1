"use client";
import { Button } from "@heroui/react";
import Link from "next/link";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { Choice } from "@/components/ui/choice";
import { Tick } from "@/components/ui/confirm";
import { DateInput } from "@/components/ui/date-input";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { ProblemForm } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useRegion } from "@/components/ui/region";
import type { CredentialView } from "@/server/credentials/view";
import type { SubjectView } from "@/server/subjects/view";
import { useTemplates } from "../_data/names";
import { endOfDay } from "@/shared/dates";
import { SubjectPicker, type PickedSubject } from "../subjects/subject-picker";

interface Props {
  isOpen: boolean;
  onOpenChange(open: boolean): void;
  /** Who it is for, where that is clear already. */
  subject?: SubjectView;
  onDone?(credential: CredentialView): void;
}

export function IssueDialog({ isOpen, onOpenChange, subject, onDone }: Props) {
  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Issue a credential" description={subject && `To ${subject.displayName || subject.externalId}`}>
      <IssueForm subject={subject} onCancel={() => onOpenChange(false)} onDone={(made) => { onOpenChange(false); onDone?.(made); }} />
    </Dialog>
  );
}

function IssueForm({ subject, onCancel, onDone }: { subject: SubjectView | undefined; onCancel(): void; onDone(credential: CredentialView): void }) {
  const trpc = useTRPC();
  const { timeZone } = useRegion();
  const templates = useTemplates();
  const usable = templates.data?.data.filter((t) => t.currentVersion !== null) ?? [];
  const [picked, setPicked] = useState<PickedSubject | null>(subject ?? null);
  const [templateId, setTemplateId] = useState<string | null>(null);
  const [expiresAt, setExpiresAt] = useState("");
  const [replace, setReplace] = useState(false);
  const action = useAction(trpc.credentials.issue.mutationOptions(), { done: "Credential issued", onDone: (made) => onDone(made.credential) });
  const exists = action.problem?.code === "credential_exists";

  if (templates.data && usable.length === 0) return <NoTemplate />;
  return (
    <ProblemForm
      problem={exists ? null : action.problem}
      onSubmit={() => picked && templateId && action.run({ subject: { id: picked.id }, templateId, ...(expiresAt && { expiresAt: endOfDay(expiresAt, timeZone).toISOString() }), ifExists: replace ? "replace" : "fail" })}
    >
      {!subject && <SubjectPicker isRequired value={picked} onChange={setPicked} />}
      <Choice label="Template" name="templateId" value={templateId} onChange={setTemplateId} placeholder="Choose a template" options={usable.map((t) => ({ value: t.id, label: t.name, description: kindWords[t.kind] }))} isRequired />
      <DateInput label="Valid through" name="expiresAt" value={expiresAt} onChange={setExpiresAt} description="Leave it empty to let the template's validity decide." />
      {exists && (
        <Notice tone="warning" title="They hold this credential already">
          <p>
            One is live: <Link href={`/credentials/${String(action.problem?.["credentialId"])}`} className="font-medium underline">open it</Link>. Replacing revokes it as superseded, in the same step.
          </p>
          <Tick isSelected={replace} onChange={setReplace} className="mt-2">Replace the one they hold</Tick>
        </Notice>
      )}
      <DialogActions>
        <Button variant="outline" onPress={onCancel}>Cancel</Button>
        <Button type="submit" isPending={action.isPending} isDisabled={!picked || !templateId || (exists && !replace)}>{replace ? "Replace and issue" : "Issue credential"}</Button>
      </DialogActions>
    </ProblemForm>
  );
}

const kindWords = { membership: "Membership", employee_id: "Employee ID", student_id: "Student ID", academic: "Academic credential" };

function NoTemplate() {
  return (
    <div className="space-y-4">
      <p className="text-[0.8125rem] text-muted">A credential is made from a template, which says how it looks and how long it is valid. None is published yet.</p>
      <DialogActions><ButtonLink href="/templates">Go to templates</ButtonLink></DialogActions>
    </div>
  );
}
