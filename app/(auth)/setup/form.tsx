"use client";
import { Button, Separator } from "@heroui/react";
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

/** The first start: an organisation and its owner (contract section 13). */
export function SetUpForm() {
  const { token, link } = useLink();
  const trpc = useTRPC();
  const router = useRouter();
  const [form, setForm] = useState({ organisationName: "", name: "", email: "", password: "" });
  const set = (name: keyof typeof form) => (value: string) => setForm((now) => ({ ...now, [name]: value }));
  const action = useAction(trpc.links.completeSetup.mutationOptions(), {
    onDone: async () =>
      router.replace((await signInWith(form.email, form.password)) === "signed_in" ? "/" : "/sign-in"),
  });

  if (link.error) return <Unusable error={link.error} />;
  if (!link.data) return <SkeletonLines lines={6} />;
  return (
    <>
      <Heading title="Set up Bonafide">
        Name the organisation that issues credentials, and yourself as its first owner.
      </Heading>
      <ProblemForm
        problem={action.problem}
        isPending={action.isPending}
        entered={null}
        onSubmit={() => action.run({ token, ...form, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone })}
      >
        <TextInput
          label="Organisation"
          name="organisationName"
          value={form.organisationName}
          onChange={set("organisationName")}
          placeholder="Nordwind University"
          autoComplete="organization"
          description="Shown to everyone who verifies a credential. It can be changed later."
          isRequired
          autoFocus
        />
        <Separator className="my-5" />
        <TextInput label="Your name" name="name" value={form.name} onChange={set("name")} autoComplete="name" />
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          inputMode="email"
          value={form.email}
          onChange={set("email")}
          autoComplete="username"
          isRequired
        />
        <NewPassword value={form.password} onChange={set("password")} />
        <Button
          type="submit"
          fullWidth
          size="lg"
          isPending={action.isPending || action.isDone}
          isDisabled={!form.organisationName || !form.email || !form.password}
          className="mt-2"
        >
          Create organisation
        </Button>
      </ProblemForm>
    </>
  );
}
