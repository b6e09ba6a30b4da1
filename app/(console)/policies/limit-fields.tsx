"use client";
import { TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../_shell/session";
import type { FormPart } from "./form-part";

/** How many credentials the policy may end by itself. */
export function LimitFields({ form, onChange, isNew }: FormPart & { isNew: boolean }) {
  const { can } = useSession();
  return (
    <>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput
          label="Percent"
          name="blastRadius/percent"
          type="number"
          value={form.percent}
          onChange={(percent) => onChange({ percent })}
          description="Of its holders, that it may end within 24 hours by itself."
        />
        <TextInput
          label="Credentials"
          name="blastRadius/count"
          type="number"
          value={form.count}
          onChange={(count) => onChange({ count })}
          description="That it may end at most, if that is less. Up to 5 always."
        />
      </div>
      {!isNew && !can("policies:approve") && (
        <Notice>You can lower these two limits. Raising one takes the scope policies:approve.</Notice>
      )}
    </>
  );
}
