import { Suspense, type ReactNode } from "react";
import { LeaveGuard } from "@/components/console/leave-guard";
import { ConsoleProviders } from "@/components/console/providers";
import { Admission } from "./_shell/admission";
import { SessionGate } from "./_shell/session";
import { Shell } from "./_shell/shell";

/** The console (contract section 13). Its pages hold no data when they are built; they load all data through tRPC. */
export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return (
    <ConsoleProviders>
      <Suspense>
        <SessionGate>
          <LeaveGuard>
            <Shell>
              <Admission>
                <Suspense>{children}</Suspense>
              </Admission>
            </Shell>
          </LeaveGuard>
        </SessionGate>
      </Suspense>
    </ConsoleProviders>
  );
}
