import type { ReactNode } from "react";
import { Wordmark } from "@/components/logo";
import { PageLink } from "./page-link";
import { say } from "./words";

/** The frame of the pages for holders and verifiers. */
export function PublicFrame({
  children,
  checkAnother = false,
  hasHome = false,
  footer = say(
    "The answer comes from the issuer’s record at the moment of asking. Look at the address of this page: a picture of an answer proves nothing.",
  ),
}: {
  children: ReactNode;
  checkAnother?: boolean;
  /** Whether the footer links to the holder's home. */
  hasHome?: boolean;
  footer?: string;
}) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="no-print border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-4xl items-center justify-between gap-4 px-4 sm:px-6">
          <PageLink href="/verify" className="rounded-md" aria-label={say("Bonafide: check a credential")}>
            <Wordmark />
          </PageLink>
          {checkAnother && (
            <PageLink
              href="/verify"
              className="text-[0.8125rem] font-medium text-link underline-offset-4 hover:underline"
            >
              {say("Check another")}
            </PageLink>
          )}
        </div>
      </header>
      <main className="mx-auto w-full max-w-4xl flex-1 px-4 py-6 [print-color-adjust:exact] sm:px-6 sm:py-10 print:p-0">
        {children}
      </main>
      <footer className="no-print mx-auto w-full max-w-4xl px-4 py-6 text-xs text-pretty text-muted sm:px-6">
        {footer}
        {hasHome && (
          <PageLink href="/home" className="mt-2 block w-fit text-link underline-offset-4 hover:underline">
            {say("All my credentials")}
          </PageLink>
        )}
      </footer>
    </div>
  );
}
