import type { Metadata } from "next";
import Link from "next/link";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { Wordmark } from "@/components/logo";
import { env } from "@/server/core/env";
import { WithPublicUrl } from "./_parts/code";
import { reference } from "./_parts/guides";
import { Navigation } from "./_parts/navigation";
import { ThemeButton } from "./_parts/theme-button";

export const metadata: Metadata = { title: { default: "Documentation", template: "%s · Bonafide documentation" } };

export default async function DocsLayout({ children }: { children: ReactNode }) {
  // Rendered for each request, because the build does not know the service's address.
  await connection();
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only rounded-md bg-accent px-3 py-2 text-accent-foreground focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-50"
      >
        Skip to the text
      </a>
      <header className="sticky top-0 z-10 border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-3 px-4 sm:px-6">
          <Link
            href="/docs"
            className="rounded-md outline-none focus-visible:ring-2 focus-visible:ring-focus"
            aria-label="Bonafide documentation"
          >
            <Wordmark />
          </Link>
          <span className="text-[0.8125rem] text-muted max-sm:hidden" aria-hidden="true">
            Docs
          </span>
          <div className="ms-auto flex items-center gap-4 text-[0.8125rem] font-medium">
            <a
              href={reference.href}
              className="rounded-sm text-link underline-offset-4 outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
            >
              {reference.label}
            </a>
            <Link
              href="/"
              prefetch={false}
              className="rounded-sm text-link underline-offset-4 outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
            >
              Console
            </Link>
            <ThemeButton />
          </div>
        </div>
      </header>
      <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6 lg:flex lg:gap-14 lg:py-10">
        <Navigation />
        <main id="content" className="min-w-0 max-w-[46rem] flex-1">
          <WithPublicUrl url={new URL(env().PUBLIC_URL).origin}>{children}</WithPublicUrl>
        </main>
      </div>
    </div>
  );
}
