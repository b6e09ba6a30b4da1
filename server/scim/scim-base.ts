import { env } from "@/server/core/env";

/** The base address of SCIM, without a slash at its end. */
export const scimBase = () => `${env().PUBLIC_URL}/scim/v2`;
