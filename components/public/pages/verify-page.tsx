import { decisionLook } from "@/components/public/decision-looks";
import { PublicFrame } from "@/components/public/frame";
import { Island } from "@/components/public/island";
import type { VerifyOutcome } from "@/components/public/verify-answer";
import { VerifyTool } from "@/components/public/verify-tool";
import { Document, type Assets } from "./document";
import { say } from "@/components/public/words";

interface Props {
  /** The answer to the typed text; null without one. */
  answer: VerifyOutcome | null;
  typed: string;
  ownHosts: string[];
  assets: Assets;
}

/** The page on which anyone checks a credential by its code. */
export function VerifyPage({ assets, ...tool }: Props) {
  return (
    <Document
      assets={assets}
      // Announced to screen readers as soon as the page is loaded.
      title={tool.answer ? titleOf(tool.answer) : say("Check a credential")}
      description={say(
        "Type the code, paste the link or scan the QR code of a credential to see whether it is valid at this moment.",
      )}
      robots={tool.typed === "" ? "index" : "noindex"}
      head={
        <>
          <link rel="manifest" href="/verify/app.webmanifest" />
          <link rel="apple-touch-icon" href="/icon.svg" />
          {/* The files of this page that a device keeps (device/scanner-files.ts). */}
          <meta name="scanner-files" content={(assets.files ?? []).join(" ")} />
        </>
      }
    >
      <PublicFrame
        footer={say(
          "The answer comes from the issuer’s record, or from the signature of a document, its keys and its status list, at the moment of asking.",
        )}
      >
        <Island name="verify" properties={tool}>
          <VerifyTool {...tool} />
        </Island>
        <noscript>
          <p className="mx-auto mt-8 max-w-2xl text-pretty text-muted">
            {say("Without JavaScript, this page checks codes and links only. Pictures, files and the camera need it.")}
          </p>
        </noscript>
        <details
          data-device={assets.device ?? ""}
          hidden
          className="no-print mx-auto mt-8 max-w-2xl rounded-2xl border bg-surface px-5 py-4 sm:px-6"
        >
          <summary className="cursor-pointer font-semibold">{say("Without a connection")}</summary>
          <div className="mt-4" />
        </details>
      </PublicFrame>
    </Document>
  );
}

function titleOf(answer: VerifyOutcome): string {
  if (answer.kind !== "decision") return say("Not a credential of this service");
  const { word, brief = word } = decisionLook(answer.verification);
  return `${brief}: ${answer.verification.credential.title}`;
}
