"use client";
import { Choice } from "@/components/ui/choice";
import { Panel } from "@/components/ui/panel";
import { useAchievementOptions } from "../../_data/names";
import { useSession } from "../../_shell/session";

const none = "none";

interface Props {
  value: string | null;
  onChange(achievementId: string | null): void;
}

/** The achievement that a template's academic credentials state. */
export function AchievementPanel({ value, onChange }: Props) {
  const { can } = useSession();
  const options = useAchievementOptions(value);
  if (!can("achievements:read")) return null;
  return (
    <Panel
      title="Achievement"
      description="What its credentials are awarded for, in a standard format that any verifier can read."
    >
      <Choice
        label="Credentials state"
        name="achievementId"
        value={value ?? none}
        onChange={(next: string) => onChange(next === none ? null : next)}
        options={[{ value: none, label: "The name of this template alone" }, ...options]}
        description="In the version that is current when a credential is issued."
      />
    </Panel>
  );
}
