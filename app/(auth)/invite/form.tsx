"use client";
import { Button } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { SkeletonLines } from "@/components/ui/skeleton";
import { Heading } from "../_parts/heading";
import { NewPassword } from "../_parts/new-password";
import { signInWith } from "@/components/console/sign-in";
import { Unusable } from "../_parts/unusable";
import { useLink } from "../_parts/use-link";

export function InviteForm() {
  const { token, link } = useLink();
  const trpc = useTRPC();
  const router = useRouter();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [takesOver, takeOver] = useState(false);
  const action = useAction(trpc.links.acceptInvitation.mutationOptions(), {
    onDone: async ({ email }) => router.replace((await signInWith(email, password)) === "signed_in" ? "/" : "/sign-in"),
  });

  if (link.error) return <Unusable error={link.error} />;
  if (!link.data) return <SkeletonLines lines={6} />;
  const { organisationName, email, role, hasAccount: isKnown, canTakeOver } = link.data;
  const hasAccount = isKnown && !takesOver;
  return (
    <>
      <Heading title={`Join ${organisationName}`}>
        {takesOver
          ? `You get the account that was made for ${email}, with a new password. Earlier ways to sign in to it stop working.`
          : hasAccount
            ? `There is an account for ${email} already. Enter its password to join as ${role}.`
            : `You were invited as ${role}. Choose a password for ${email}.`}
      </Heading>
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={null}
        onSubmit={() => action.run({ token, name: isKnown ? undefined : name, password, takeOver: takesOver })}
      >
        <input type="hidden" name="username" autoComplete="username" value={email ?? ""} readOnly />
        {hasAccount ? (
          <TextInput
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
            isRequired
            autoFocus
          />
        ) : (
          <>
            {!isKnown && (
              <TextInput label="Your name" name="name" value={name} onChange={setName} autoComplete="name" autoFocus />
            )}
            <NewPassword value={password} onChange={setPassword} autoFocus={isKnown} />
          </>
        )}
        <Button
          type="submit"
          fullWidth
          size="lg"
          isPending={action.isPending || action.isDone}
          isDisabled={!password}
          className="mt-2"
        >
          Join
        </Button>
      </ProblemForm>
      {canTakeOver && hasAccount && (
        <Button variant="ghost" size="sm" className="mt-4 -ms-2" onPress={() => takeOver(true)}>
          I don't know this password
        </Button>
      )}
    </>
  );
}
