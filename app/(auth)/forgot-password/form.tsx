"use client";
import { Button } from "@heroui/react";
import { MailCheck } from "lucide-react";
import { useState } from "react";
import { useAction } from "@/components/console/use-action";
import { useTRPC } from "@/components/trpc/client";
import { ButtonLink } from "@/components/ui/button-link";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Heading } from "../_parts/heading";

/** Asks for a link to choose a new password. The answer does not reveal whether an account exists. */
export function ForgotForm() {
  const trpc = useTRPC();
  const [email, setEmail] = useState("");
  const action = useAction(trpc.links.requestPasswordReset.mutationOptions());
  if (action.isDone) {
    return (
      <div>
        <span className="mb-5 grid size-11 place-items-center rounded-xl border bg-surface text-muted">
          <MailCheck className="size-5" aria-hidden="true" />
        </span>
        <Heading title="Look into your mailbox">
          If there is an account with the verified address {email.trim()}, a link to choose a new password is on its
          way. It works for 30 minutes. If nothing comes, look into your junk folder, or ask an administrator of your
          organisation.
        </Heading>
        <ButtonLink href="/sign-in" variant="outline">
          Back to sign-in
        </ButtonLink>
      </div>
    );
  }
  return (
    <>
      <Heading title="Forgot your password?">
        Enter your e-mail address. We send you a link to choose a new one.
      </Heading>
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={null}
        onSubmit={() => action.run({ email })}
      >
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <Button
          type="submit"
          fullWidth
          size="lg"
          isPending={action.isPending}
          isDisabled={!email.trim()}
          className="mt-2"
        >
          Send link
        </Button>
      </ProblemForm>
      <ButtonLink href="/sign-in" variant="ghost" size="sm" className="mt-4 -ms-2 self-start">
        Back to sign-in
      </ButtonLink>
    </>
  );
}
