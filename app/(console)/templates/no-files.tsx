"use client";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import type { FilePart } from "@/server/templates/hidden-from-files";

interface Props {
  /** What the files contain and the public page does not show. If empty, nothing is rendered. */
  hidden: readonly FilePart[];
  /** The results of the achievement, with their names. */
  results: readonly { key: string; name?: string }[];
  /** The template, for a link to its editor; absent in the editor itself. */
  templateId?: string;
  /** Whether the credential has been issued. An issued credential keeps its version of the design. */
  isIssued?: boolean;
}

/** Says that holders get no badge, certificate and document from the public page, why, and what to do about it. */
export function NoFiles({ hidden, results, templateId, isIssued = false }: Props) {
  if (hidden.length === 0) return null;
  const fields = hidden.filter((part) => part !== "address").map((part) => wordsOf(part, results));
  return (
    <Notice tone="warning" title="Holders get no files">
      {fields.length > 0 && (
        <p>
          The badge, the certificate and the signed document would state {listed(fields)}, which the public page does
          not show.{" "}
          {templateId ? (
            <>
              In a new version of{" "}
              <Link href={`/templates/${templateId}`} target="_blank" className="font-medium underline">
                the template
              </Link>
              , let anyone see that{isIssued && ", then reissue this credential"}, and holders can download them.
            </>
          ) : (
            "Let anyone see that, and holders can download them."
          )}
        </p>
      )}
      {hidden.includes("address") && (
        <p>
          Your organisation writes the holder’s e-mail address into signed documents, so no public page offers them.{" "}
          <Link href="/settings/issuer" target="_blank" className="font-medium underline">
            Change that under Issuer
          </Link>
        </p>
      )}
    </Notice>
  );
}

function wordsOf(part: FilePart, results: Props["results"]): string {
  if (part === "name") return "the holder’s name";
  if (part === "credits") return "the credits";
  if (part === "evidence") return "the evidence";
  const key = part.slice("results.".length);
  return `the result “${results.find((each) => each.key === key)?.name || key}”`;
}

const listed = (words: string[]) => new Intl.ListFormat("en", { type: "conjunction" }).format(words);
