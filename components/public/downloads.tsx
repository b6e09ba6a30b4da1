import { FileDown } from "lucide-react";
import { say } from "./words";

const files = [
  { file: "credential.pdf", name: "Certificate (PDF)" },
  { file: "badge.png", name: "Badge (PNG)" },
  { file: "badge.svg", name: "Badge (SVG)" },
  { file: "credential.json", name: "Signed credential (JSON)" },
];

/** Links to the files of a credential, which are public like its page. */
export function Downloads({ code }: { code: string }) {
  return (
    <section aria-labelledby="downloads" className="no-print mt-4 border-t border-separator pt-4 text-left">
      <h2 id="downloads" className="text-[0.8125rem] font-medium">
        {say("Download")}
      </h2>
      <ul className="mt-2 space-y-1.5">
        {files.map(({ file, name }) => (
          <li key={file}>
            <a
              href={`/public/credentials/${code}/${file}`}
              download
              className="inline-flex items-center gap-2 rounded-sm text-[0.8125rem] font-medium text-link underline-offset-4 outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
            >
              <FileDown aria-hidden="true" className="size-4" /> {say(name)}
            </a>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-xs text-pretty text-muted">
        {say(
          "Each holds the signed credential (Open Badges 3.0) and can be verified here. Other verifiers read the badges and the JSON file, which is also attached to the PDF.",
        )}
      </p>
    </section>
  );
}
