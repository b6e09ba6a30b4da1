"use client";
import { useRouter } from "next/navigation";
import { Panel } from "@/components/ui/panel";
import { SubjectPicker } from "../../subjects/subject-picker";

/** Chooses a person and opens the page that explains why they hold the policy's credential or not. */
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
