"use client";
import { useRouter } from "next/navigation";
import { Panel } from "@/components/ui/panel";
import { SubjectPicker } from "../../subjects/subject-picker";

/** Asks of whom to say why they hold the policy's credential or not, and leads there. */
export function AskWhy({ policyId, title = "Why?" }: { policyId: string; title?: string }) {
  const router = useRouter();
  return (
    <Panel title={title} description="Choose a person to see why they hold this credential, or why not.">
      <SubjectPicker
        anyStatus
        value={null}
        onChange={(person) => person && router.push(`/policies/${policyId}/why/${person.id}`)}
      />
    </Panel>
  );
}
