import { Suspense, type ReactNode } from "react";
import { ConsoleProviders } from "@/components/console/providers";
import { SessionGate } from "./_shell/session";
import { Shell } from "./_shell/shell";

/** The console (contract section 13). Its pages hold no data when they are built; all of it comes through tRPC. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <ConsoleProviders>
      <Suspense>
        <SessionGate>
          <Shell>
            <Suspense>{children}</Suspense>
          </Shell>
        </SessionGate>
      </Suspense>
    </ConsoleProviders>
  );
}
