"use client";
import { Button, Separator } from "@heroui/react";
import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { askPasskey, PasskeyRefused } from "@/components/passkey";
import { problemOf } from "@/components/problem";
import { useTRPC, useTRPCClient } from "@/components/trpc/client";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Notice } from "@/components/ui/notice";
import { SkeletonLines } from "@/components/ui/skeleton";
import type { RouterOutputs } from "@/server/trpc/root";
import { Heading } from "../_parts/heading";
import { destination } from "../_parts/destination";
import { completeWith, signInWith, type SignInOutcome } from "@/components/console/sign-in";
import { SecondStep } from "./second-step";

const words: Record<Exclude<SignInOutcome, "signed_in" | "second_factor">, string> = {
  wrong: "The e-mail address or the password is wrong.",
  wrong_factor: "This was not accepted. Try again, or use another way.",
  expired: "This sign-in took longer than five minutes, or had too many wrong answers. Start again.",
  rate_limited: "Too many tries. Wait a few minutes, then try again.",
  unreachable: "The service did not answer. Check the connection and try again.",
};

/** Why single sign-on failed, as app/api/sso reports it. */
const ssoWords: Record<string, string> = {
  failed: "Single sign-on did not work. Try again, or ask your administrator.",
  unverified: "Your identity provider does not confirm your e-mail address, so we cannot tell whose account it is.",
  not_invited: "There is no account for your e-mail address. Ask an owner or admin of your organisation to invite you.",
  connect:
    "There is an account for your e-mail address, and nobody has shown that it is yours. Sign in with your password, then connect single sign-on under Settings → Your account.",
};

type State = RouterOutputs["signIn"]["state"];
/** What a step reports to the page: an outcome, or a message. */
export type Told = SignInOutcome | { message: string };

export function SignInForm() {
  const router = useRouter();
  const params = useSearchParams();
  const trpc = useTRPC();
  const client = useTRPCClient();
  const { data: state, refetch } = useQuery(trpc.signIn.state.queryOptions(undefined, { staleTime: 0, gcTime: 0 }));
  const [told, setTold] = useState<Told | null>(null);
  const ssoReason = ssoWords[params.get("sso") ?? ""];
  const message =
    told === null
      ? ssoReason
      : typeof told === "object"
        ? told.message
        : told === "signed_in" || told === "second_factor"
          ? undefined
          : words[told];

  const next = params.get("next");
  const conclude = async (outcome: Told) => {
    setTold(outcome);
    if (outcome === "signed_in") return router.replace(destination(next));
    if (outcome === "second_factor" || outcome === "expired") await refetch();
  };
  const withPasskey = async () => {
    try {
      const answer = await askPasskey(await client.signIn.passkeyOptions.mutate());
      await conclude(await completeWith({ passkey: JSON.stringify(answer) }));
    } catch (error) {
      setTold(error instanceof PasskeyRefused ? { message: error.message } : "unreachable");
    }
  };
  const withSso = async () => {
    try {
      window.location.assign((await client.signIn.sso.mutate({ next: destination(next) })).url);
    } catch (error) {
      setTold({ message: problemOf(error).code === "internal_error" ? ssoWords["failed"]! : problemOf(error).detail });
    }
  };
  const restart = async () => {
    await client.signIn.cancel.mutate().catch(() => undefined);
    setTold(null);
    await refetch();
  };

  // After single sign-on, a person without a second factor is not asked for anything else.
  const isProven = state?.second && !state.second.app && !state.second.passkey;
  useEffect(() => {
    if (isProven) void completeWith({}).then(conclude);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each sign-in that is proven
  }, [isProven]);

  const notice = message && (
    <Notice tone="danger" className="mb-4">
      {message}
    </Notice>
  );
  if (isProven && told !== "unreachable") return <SkeletonLines lines={4} />;
  if (state?.second)
    return (
      <SecondStep
        ways={state.second}
        notice={notice}
        isDone={told === "signed_in"}
        onAnswer={async (sent) => conclude(await completeWith(sent))}
        onPasskey={withPasskey}
        onRestart={restart}
      />
    );
  return (
    <FirstStep
      state={state}
      notice={notice}
      isDone={told === "signed_in"}
      onOutcome={conclude}
      onPasskey={withPasskey}
      onSso={withSso}
    />
  );
}

interface FirstProps {
  state: State | undefined;
  notice: React.ReactNode;
  isDone: boolean;
  onOutcome(outcome: SignInOutcome): Promise<unknown>;
  onPasskey(): Promise<void>;
  onSso(): Promise<void>;
}

function FirstStep({ state, notice, isDone, onOutcome, onPasskey, onSso }: FirstProps) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [busy, setBusy] = useState<"password" | "passkey" | "sso" | null>(null);
  const run = async (what: "password" | "passkey" | "sso", work: () => Promise<unknown>) => {
    setBusy(what);
    await work();
    setBusy(null);
  };
  return (
    <>
      <Heading title="Sign in">Manage the credentials of your organisation.</Heading>
      {notice}
      <ProblemForm
        problem={null}
        isPending={busy !== null}
        entered={null}
        onSubmit={() => void run("password", async () => onOutcome(await signInWith(email, password)))}
      >
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          value={email}
          onChange={setEmail}
          autoFocus
        />
        <TextInput
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button
          type="submit"
          fullWidth
          size="lg"
          isPending={busy === "password" || isDone}
          isDisabled={!email || !password}
          className="mt-2"
        >
          Sign in
        </Button>
      </ProblemForm>
      <div className="my-5 flex items-center gap-3 text-xs text-muted">
        <Separator className="flex-1" /> or <Separator className="flex-1" />
      </div>
      <div className="space-y-2.5">
        {state?.ssoName && (
          <Button
            variant="outline"
            size="lg"
            fullWidth
            isPending={busy === "sso"}
            onPress={() => void run("sso", onSso)}
          >
            Continue with {state.ssoName}
          </Button>
        )}
        <Button
          variant="outline"
          size="lg"
          fullWidth
          isPending={busy === "passkey"}
          onPress={() => void run("passkey", onPasskey)}
        >
          <KeyRound aria-hidden="true" /> Sign in with a passkey
        </Button>
      </div>
      {state && (
        <p className="mt-6 text-[0.8125rem] text-muted">
          {state.resetsByMail ? (
            <Link href="/forgot-password" className="font-medium text-foreground underline underline-offset-4">
              Forgot your password?
            </Link>
          ) : (
            "Forgot your password? Ask the administrator of this service for a link to choose a new one."
          )}
        </p>
      )}
    </>
  );
}
