import { z } from "zod";
import { env } from "@/server/core/env";

/** The purposes of status lists (Bitstring Status List 1.0, section 2.1). Each issuer has one list of each. */
export const statusPurposes = ["revocation", "suspension"] as const;
export const statusPurpose = z.enum(statusPurposes);
export type StatusPurpose = (typeof statusPurposes)[number];

/**
 * The URL of an issuer's list, which is also its id. Credentials that were signed under a domain refer to a list of the
 * same DID, because verifiers require one issuer for both.
 */
export const statusListUrl = (slug: string, purpose: StatusPurpose, domain: string | null = null): string =>
  `${env().PUBLIC_URL}/public/status/${slug}/${purpose}${domain === null ? "" : `/${encodeURIComponent(domain)}`}`;
