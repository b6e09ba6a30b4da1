"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm } from "@/components/ui/fields";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Heading } from "../_parts/heading";
import { NewPassword } from "../_parts/new-password";
import { signInWith } from "@/components/console/sign-in";
import { Unusable } from "../_parts/unusable";
import { useLink } from "../_parts/use-link";

export function ResetForm() {
  const { token, link } = useLink();
  const trpc = useTRPC();
  const router = useRouter();
  const [password, setPassword] = useState("");
  const action = useAction(trpc.links.resetPassword.mutationOptions(), {
    onDone: async ({ email }) => router.replace((await signInWith(email, password)) === "signed_in" ? "/" : "/sign-in"),
  });

  if (link.error) return <Unusable error={link.error} />;
  if (!link.data) return <SkeletonLines lines={4} />;
  return (
    <>
      <Heading title="Choose a new password">
        For {link.data.email}. It ends every session of the account, on all devices.
      </Heading>
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={null}
        onSubmit={() => action.run({ token, password })}
      >
        <input type="hidden" name="username" autoComplete="username" value={link.data.email ?? ""} readOnly />
        <NewPassword value={password} onChange={setPassword} autoFocus />
        <Button
          type="submit"
          fullWidth
          size="lg"
          isPending={action.isPending || action.isDone}
          isDisabled={!password}
          className="mt-2"
        >
          Save password
        </Button>
      </ProblemForm>
    </>
  );
}
