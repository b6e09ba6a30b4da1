import { FileDown } from "lucide-react";

/** Leads to the signed document of a credential, which other verifiers and wallets read. */
export function DocumentLink({ code }: { code: string }) {
  return (
    <div className="no-print mt-4 border-t border-separator pt-4">
      <a
        href={`/public/credentials/${code}/credential.json`}
        download
        className="inline-flex items-center gap-2 rounded-sm text-[0.8125rem] font-medium text-link underline-offset-4 outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
      >
        <FileDown aria-hidden="true" className="size-4" /> Download the credential
      </a>
      <p className="mt-1 text-xs text-pretty text-muted">
        A signed file (Open Badges 3.0) that any verifier reads. It names the holder by a hash alone.
      </p>
    </div>
  );
}
