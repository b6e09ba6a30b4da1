"use client";
import { Button } from "@heroui/react";
import { useState } from "react";
import { signInWith } from "@/components/console/sign-in";
import { useAction } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { useTRPCClient } from "@/components/trpc/client";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { useSession } from "../../_shell/session";
import { withoutSent } from "../without-sent";
import { enterOrganisation, leave } from "../../_shell/sign-out";

const empty = { current: "", password: "" };

/**
 * Changes the reader's password. The change ends every session, so this browser signs in again with the new password.
 */
export function PasswordForm() {
  const client = useTRPCClient();
  const { user, memberships, current: organisation } = useSession();
  const [form, setForm] = useState(empty);
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const change = async (input: typeof form) => {
    await client.session.changePassword.mutate(input);
    const outcome = await signInWith(user.email, input.password);
    // The sign-in page continues with the second step.
    if (outcome === "second_factor") return window.location.assign("/sign-in");
    if (outcome !== "signed_in") return leave();
    if (memberships.length > 1) await enterOrganisation(organisation.orgId);
  };
  const action = useAction(
    { mutationFn: change },
    {
      done: "Password changed, other devices signed out",
      onDone: (_, sent) => setForm((now) => withoutSent(now, sent)),
    },
  );
  return (
    <ProblemForm
      problem={atField(action.problem)}
      isPending={action.isPending}
      entered={form}
      onSubmit={() => action.run(form)}
    >
      <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TextInput
          label="Current password"
          name="current"
          type="password"
          autoComplete="current-password"
          value={form.current}
          onChange={set("current")}
          isRequired
        />
        <TextInput
          label="New password"
          name="password"
          type="password"
          autoComplete="new-password"
          value={form.password}
          onChange={set("password")}
          isRequired
          description="At least 12 characters. A sentence is easier to remember than symbols."
        />
      </div>
      <Button type="submit" isPending={action.isPending} isDisabled={!form.current || !form.password}>
        Change password
      </Button>
    </ProblemForm>
  );
}

/** The address is known to be right here, so the current password must be wrong. */
function atField(problem: Problem | null): Problem | null {
  if (problem?.code !== "invalid_credentials") return problem;
  return { ...problem, errors: [{ pointer: "/current", code: "invalid_value", message: "this is not your password" }] };
}
