import type { VerifyOutcome } from "@/components/public/verify-answer";
import { env } from "@/server/core/env";
import { readScan } from "@/server/verification/read-scan";
import { verifyCode } from "@/server/verification/verify-code";
import { verifyDocument } from "@/server/verification/verify-document";
import { orNull, type PageRequest } from "../c/public-page";

/** The hosts whose links are ours: the configured one, and the host of this request. */
export function ownHosts(request: Request): string[] {
  const asked = request.headers.get("host");
  return [new URL(env().PUBLIC_URL).host, ...(asked ? [asked] : [])];
}

/** Answers what was typed, pasted or scanned. */
export async function answerFor(
  typed: string,
  hosts: string[],
  { context, asks }: Pick<PageRequest, "context" | "asks">,
): Promise<VerifyOutcome> {
  const scan = readScan(typed, hosts);
  if (scan.kind === "document") return { kind: "decision", verification: await verifyDocument(scan.text, asks()) };
  if (scan.kind !== "code") return scan;
  const verification = await orNull(verifyCode(scan.code, context()));
  return verification ? { kind: "decision", verification } : { kind: "unknown" };
}
