import { decisionLook } from "@/components/public/decision-looks";
import { PublicFrame } from "@/components/public/frame";
import { Island } from "@/components/public/island";
import type { Answer } from "@/components/public/verify-answer";
import { VerifyDesk } from "@/components/public/verify-desk";
import { Document, type Assets } from "./document";

interface Props {
  /** To what was typed; null where nothing was. */
  answer: Answer | null;
  typed: string;
  ownHosts: string[];
  assets: Assets;
}

/** Anyone checks any credential, by its code. */
export function VerifyPage({ assets, ...desk }: Props) {
  return (
    <Document
      assets={assets}
      // Told to those who do not see the page, as soon as it is there.
      title={desk.answer ? titleOf(desk.answer) : "Check a credential"}
      description="Type the code, paste the link or scan the QR code of a credential to see whether it is valid at this moment."
      robots={desk.typed === "" ? "index" : "noindex"}
    >
      <PublicFrame footer="The answer comes from the issuer’s record, or from the signature of a document, its keys and its status list, at the moment of asking.">
        <Island name="desk" properties={desk}>
          <VerifyDesk {...desk} />
        </Island>
      </PublicFrame>
    </Document>
  );
}

function titleOf(answer: Answer): string {
  if (answer.kind !== "decision") return "Not a credential of this service";
  const { word, brief = word } = decisionLook(answer.verification);
  return `${brief}: ${answer.verification.credential.title}`;
}
