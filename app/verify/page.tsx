import type { Metadata } from "next";
import { decisionLook } from "@/components/public/decision-looks";
import { PublicFrame } from "@/components/public/frame";
import type { Answer } from "@/components/public/verify-answer";
import { answerFor, ownHosts } from "./answer";
import { VerifyDesk } from "./desk";

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
    description:
      "Type the code, paste the link or scan the QR code of a credential to see whether it is valid at this moment.",
    robots: { index: typed === "" },
  };
}

function titleOf(answer: Answer): string {
  if (answer.kind !== "decision") return "Not a credential of this service";
  const { word, brief = word } = decisionLook(answer.verification);
  return `${brief}: ${answer.verification.credential.title}`;
}

/** Anyone checks any credential, by its code. */
export default async function VerifyPage(props: Props) {
  const typed = await typedIn(props);
  const answer = typed === "" ? null : await answerFor(typed);
  return (
    <PublicFrame>
      <VerifyDesk answer={answer} typed={typed} ownHosts={await ownHosts()} />
    </PublicFrame>
  );
}
