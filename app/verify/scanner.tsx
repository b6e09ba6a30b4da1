"use client";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { CodeScanner } from "@/components/public/code-scanner";
import { formatCode } from "@/server/credentials/code";
import { readScan } from "@/server/verification/read-scan";

/** The scanner of /verify: goes to the answer for what it sees, where that is a code of this service. */
export function Scanner({ ownHosts }: { ownHosts: string[] }) {
  const router = useRouter();
  const [isChecking, startChecking] = useTransition();

  function take(text: string): string | null {
    const scan = readScan(text, [...ownHosts, window.location.host]);
    if (scan.kind === "foreign") return `This QR code leads to ${scan.host}, not to this service.`;
    if (scan.kind === "unreadable") return "This QR code is not that of a credential.";
    navigator.vibrate?.(60);
    startChecking(() => router.push(`/verify?code=${formatCode(scan.code)}`));
    return null;
  }

  return <CodeScanner take={take} isChecking={isChecking} />;
}
