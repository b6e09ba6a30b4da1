import { Suspense, type ReactNode } from "react";
import { Wordmark } from "@/components/logo";
import { ConsoleProviders } from "@/components/console/providers";
import { Lattice } from "./_parts/lattice";

/** Pages for people who have not signed in: one card on the left, the brand beside it where there is room. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ConsoleProviders>
      <div className="grid grid-cols-1 min-h-dvh lg:grid-cols-[minmax(30rem,5fr)_6fr]">
        <div className="flex flex-col px-6 py-6 sm:px-10">
          <Wordmark />
          <main className="mx-auto flex w-full max-w-sm flex-1 flex-col justify-center py-12">
            <Suspense>{children}</Suspense>
          </main>
          <p className="text-xs text-muted">Digital credentials, issued and verified in good faith.</p>
        </div>
        <Lattice />
      </div>
    </ConsoleProviders>
  );
}
