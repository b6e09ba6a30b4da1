import type { Metadata } from "next";
import { CodeForm } from "@/components/public/code-form";
import { decisionLook } from "@/components/public/decision-looks";
import { PublicFrame } from "@/components/public/frame";
import { VerifyAnswer, type Answer } from "@/components/public/verify-answer";
import { answerFor, ownHosts } from "./answer";
import { Scanner } from "./scanner";

interface Props {
  searchParams: Promise<{ code?: string | string[] }>;
}

async function typedIn({ searchParams }: Props): Promise<string> {
  return ([(await searchParams).code ?? ""].flat()[0] ?? "").trim();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const typed = await typedIn(props);
  return {
    // Told to those who do not see the page, as soon as it is there.
    title: typed === "" ? "Check a credential" : titleOf(await answerFor(typed)),
    description: "Type the code, paste the link or scan the QR code of a credential to see whether it is valid at this moment.",
    robots: { index: typed === "" },
  };
}

function titleOf(answer: Answer): string {
  if (answer.kind !== "decision") return "Not a credential of this service";
  return `${decisionLook(answer.verification).word}: ${answer.verification.credential.title}`;
}

/** Anyone checks any credential, by its code. */
export default async function VerifyPage(props: Props) {
  const typed = await typedIn(props);
  const answer = typed === "" ? null : await answerFor(typed);
  return (
    <PublicFrame>
      <div className="mx-auto max-w-2xl space-y-8">
        {answer ? (
          <VerifyAnswer answer={answer} />
        ) : (
          <div>
            <h1 className="text-2xl font-semibold tracking-[-0.02em] text-balance sm:text-3xl">Check a credential</h1>
            <p className="mt-2 text-base text-pretty text-muted">Type the code that stands on it, paste its link, or scan its QR code. You see at once whether it is valid.</p>
          </div>
        )}
        <section aria-label={answer ? "Check another" : "Check"} className="rounded-2xl border bg-surface p-5 shadow-surface sm:p-6">
          {answer && <h2 className="mb-4 text-base font-semibold">Check another</h2>}
          <CodeForm key={typed} typed={answer && answer.kind !== "decision" ? typed : ""} />
          <Scanner key={`scan ${typed}`} ownHosts={await ownHosts()} />
        </section>
      </div>
    </PublicFrame>
  );
}
