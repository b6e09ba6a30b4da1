"use client";
import { Button } from "@heroui/react";
import { KeyRound, LifeBuoy, Smartphone } from "lucide-react";
import { useState, type ReactNode } from "react";
import { ProblemForm, TextInput } from "@/components/ui/fields";
import { Heading } from "../_parts/heading";

type Way = "app" | "passkey" | "recovery";

interface Props {
  /** Which second factors the account has. */
  ways: { app: boolean; passkey: boolean };
  notice: ReactNode;
  isDone: boolean;
  onAnswer(answer: { code: string } | { recoveryCode: string }): Promise<unknown>;
  onPasskey(): Promise<void>;
  onRestart(): Promise<void>;
}

const headings: Record<Way, [string, string]> = {
  app: ["Enter your code", "Open your authenticator app and enter the six digits that it shows for Bonafide."],
  passkey: ["Use your passkey", "Your browser asks for your fingerprint, face, PIN or security key."],
  recovery: [
    "Use a recovery code",
    "Enter one of the codes that you kept when you set up your second factor. Each works once.",
  ],
};

const others: Record<Way, { label: string; icon: typeof KeyRound }> = {
  app: { label: "Use your authenticator app", icon: Smartphone },
  passkey: { label: "Use a passkey", icon: KeyRound },
  recovery: { label: "Use a recovery code", icon: LifeBuoy },
};

/** The step after a correct password, for an account that has a second factor. */
export function SecondStep({ ways, notice, isDone, onAnswer, onPasskey, onRestart }: Props) {
  const open: Way[] = [
    ...(ways.app ? (["app"] as const) : []),
    ...(ways.passkey ? (["passkey"] as const) : []),
    "recovery",
  ];
  const [way, setWay] = useState<Way>(open[0]!);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [title, about] = headings[way];
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    await work();
    setTyped("");
    setBusy(false);
  };
  const choose = (chosen: Way) => {
    setTyped("");
    setWay(chosen);
  };
  const pending = isBusy || isDone;
  return (
    <>
      <Heading title={title}>{about}</Heading>
      {notice}
      {way === "passkey" ? (
        <Button size="lg" fullWidth isPending={pending} onPress={() => void run(onPasskey)} autoFocus>
          <KeyRound aria-hidden="true" /> Continue with a passkey
        </Button>
      ) : (
        <ProblemForm
          key={way}
          problem={null}
          isPending={pending}
          entered={null}
          onSubmit={() => typed && void run(() => onAnswer(way === "app" ? { code: typed } : { recoveryCode: typed }))}
        >
          {way === "app" ? (
            <TextInput
              label="Code"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              value={typed}
              onChange={setTyped}
              mono
              autoFocus
            />
          ) : (
            <TextInput
              label="Recovery code"
              name="recoveryCode"
              maxLength={40}
              value={typed}
              onChange={setTyped}
              placeholder="xxxx-xxxx-xxxx-xxxx"
              mono
              autoFocus
            />
          )}
          <Button type="submit" size="lg" fullWidth isPending={pending} isDisabled={!typed.trim()} className="mt-2">
            Sign in
          </Button>
        </ProblemForm>
      )}
      <div className="mt-6 flex flex-col items-start gap-1 border-t pt-4">
        {open
          .filter((each) => each !== way)
          .map((each) => {
            const { label, icon: Icon } = others[each];
            return (
              <Button key={each} variant="ghost" size="sm" className="-ms-2" onPress={() => choose(each)}>
                <Icon aria-hidden="true" /> {label}
              </Button>
            );
          })}
        <Button variant="ghost" size="sm" className="-ms-2 text-muted" onPress={() => void onRestart()}>
          Sign in as someone else
        </Button>
      </div>
      <p className="mt-4 text-xs text-pretty text-muted">
        Lost all of these? The administrator of this service can reset your second factor.
      </p>
    </>
  );
}
