import { headers } from "next/headers";
import { cache } from "react";
import type { Answer } from "@/components/public/verify-answer";
import { env } from "@/server/core/env";
import { DomainError } from "@/server/core/errors";
import { readScan } from "@/server/verification/read-scan";
import { verifyCode } from "@/server/verification/verify-code";
import { verifyDocument } from "@/server/verification/verify-document";
import { visitorAsks, visitorsLook } from "../c/visitor";

/** The hosts whose links are ours: the configured one, and the one this page was asked under. */
export async function ownHosts(): Promise<string[]> {
  const asked = (await headers()).get("host");
  return [new URL(env().PUBLIC_URL).host, ...(asked ? [asked] : [])];
}

/** Answers for whatever was typed, pasted or scanned: once a request, for the page and its title alike. */
export const answerFor = cache(async (typed: string): Promise<Answer> => {
  const scan = readScan(typed, await ownHosts());
  if (scan.kind === "document")
    return { kind: "decision", verification: await verifyDocument(scan.text, await visitorAsks()) };
  if (scan.kind !== "code") return scan;
  try {
    return { kind: "decision", verification: await verifyCode(scan.code, await visitorsLook()) };
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return { kind: "unknown" };
    throw error;
  }
});
