"use client";
import { TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { useSession } from "../_shell/session";
import type { FormPart } from "./form-part";

/** How many credentials the policy may end without an approval. */
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
          description="The share of its credentials that it may end within 24 hours without approval."
        />
        <TextInput
          label="Credentials"
          name="blastRadius/count"
          type="number"
          value={form.count}
          onChange={(count) => onChange({ count })}
          description="At most this many, if that is fewer. Up to 5 need no approval, unless nobody matches the rule any more."
        />
      </div>
      {!isNew && !can("policies:approve") && (
        <Notice>You can lower these two limits. Raising one needs the scope policies:approve.</Notice>
      )}
    </>
  );
}
