"use client";
import { Button } from "@heroui/react";
import { useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { Heading } from "../_parts/heading";
import { destination } from "../_parts/destination";
import { signInWith, type SignInOutcome } from "../_parts/sign-in";

const words: Record<Exclude<SignInOutcome, "signed_in">, string> = {
  wrong: "The e-mail address or the password is wrong.",
  rate_limited: "Too many tries. Wait a few minutes, then try again.",
  unreachable: "The service did not answer. Check the connection and try again.",
};

export function SignInForm() {
  const router = useRouter();
  const next = useSearchParams().get("next");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [state, setState] = useState<SignInOutcome | "idle" | "busy">("idle");

  const submit = async () => {
    setState("busy");
    const outcome = await signInWith(email, password);
    setState(outcome);
    if (outcome === "signed_in") router.replace(destination(next));
  };

  const busy = state === "busy" || state === "signed_in";
  return (
    <>
      <Heading title="Sign in">Manage the credentials of your organisation.</Heading>
      <ProblemForm problem={null} isPending={busy} entered={null} onSubmit={() => void submit()}>
        {state !== "idle" && state !== "busy" && state !== "signed_in" && <Notice tone="danger">{words[state]}</Notice>}
        <TextInput label="E-mail" name="email" type="email" inputMode="email" autoComplete="username" value={email} onChange={setEmail} autoFocus />
        <TextInput label="Password" name="password" type="password" autoComplete="current-password" value={password} onChange={setPassword} />
        <Button type="submit" fullWidth size="lg" isPending={busy} isDisabled={!email || !password} className="mt-2">
          Sign in
        </Button>
      </ProblemForm>
      <p className="mt-6 text-[0.8125rem] text-muted">
        Forgotten your password? The operator of this service can make you a link to choose a new one.
      </p>
    </>
  );
}
