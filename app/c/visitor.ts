import { headers } from "next/headers";
import { env } from "@/server/core/env";
import { consume } from "@/server/http/rate-limit";
import type { Look } from "@/server/verification/verify-code";
import { viewerOf } from "@/server/verification/viewer";

/**
 * Who looks at a public page.
 * @throws DomainError rate_limited, as the public API.
 */
export async function visitorsLook(): Promise<Look> {
  const sent = await headers();
  const address = sent.get("x-forwarded-for")?.split(",")[0]?.trim() || "unknown";
  await consume("address", address, env().RATE_LIMIT_ADDRESS);
  return { via: "page", viewer: viewerOf(address, sent.get("user-agent")), now: new Date() };
}
