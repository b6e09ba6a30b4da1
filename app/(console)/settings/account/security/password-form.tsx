"use client";
import { Button } from "@heroui/react";
import { useState, type ReactNode } from "react";
import type { Action } from "@/components/console/use-action";
import type { Problem } from "@/components/problem";
import { DialogActions } from "@/components/ui/dialog";
import { CancelButton, ProblemForm, TextInput } from "@/components/ui/fields";

interface Props {
  hasPassword: boolean;
  action: Pick<Action<{ password: string }>, "run" | "isPending" | "problem">;
  confirm?: string;
  isDanger?: boolean;
  isDisabled?: boolean;
  /** The consequence, and further fields. */
  children?: ReactNode;
}

/** Asks for the reader's password before their second factors change. */
export function PasswordForm({
  hasPassword,
  action,
  confirm = "Continue",
  isDanger = false,
  isDisabled = false,
  children,
}: Props) {
  const [password, setPassword] = useState("");
  return (
    <ProblemForm
      problem={passwordProblem(action.problem)}
      isPending={action.isPending}
      entered={null}
      onSubmit={() => action.run({ password })}
    >
      {children}
      {hasPassword && (
        <TextInput
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          description="To make sure that it is you."
          autoFocus={!children}
        />
      )}
      <DialogActions>
        <CancelButton />
        <Button
          type="submit"
          variant={isDanger ? "danger" : "primary"}
          isPending={action.isPending}
          isDisabled={isDisabled || (hasPassword && !password)}
        >
          {confirm}
        </Button>
      </DialogActions>
    </ProblemForm>
  );
}

/** The address is known to be right here, so the password must be wrong. */
function passwordProblem(problem: Problem | null): Problem | null {
  if (problem?.code !== "invalid_credentials") return problem;
  return {
    ...problem,
    errors: [{ pointer: "/password", code: "invalid_value", message: "this is not your password" }],
  };
}
