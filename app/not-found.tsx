import type { Metadata } from "next";
import { Seal } from "@/components/logo";
import { ButtonLink } from "@/components/ui/button-link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-6">
      <div className="flex flex-col items-center text-center">
        <Seal className="mb-6 size-10" />
        <h1 className="text-xl font-semibold tracking-[-0.015em]">There is no such page</h1>
        <p className="mt-1.5 max-w-sm text-sm text-pretty text-muted">
          The address may be mistyped. To check a credential, go to the verification page.
        </p>
        <div className="mt-6 flex gap-2">
          <ButtonLink href="/verify" variant="outline">
            Verify a credential
          </ButtonLink>
          <ButtonLink href="/">Console</ButtonLink>
        </div>
      </div>
    </main>
  );
}
