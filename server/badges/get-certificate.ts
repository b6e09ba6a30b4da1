import { z } from "zod";
import type { Download } from "@/server/core/download";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { certificate } from "./certificate";
import { loadBadgeFacts } from "./facts";
import { fileHeaders } from "./file";

/** Returns the certificate of an academic credential as PDF. @throws DomainError as certificate */
export const getCertificate = query({
  name: "credentials.certificate",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd") }),
  async run(ctx, input): Promise<Download> {
    const facts = await loadBadgeFacts(ctx, input.id);
    const file = await certificate({ orgId: ctx.orgId, now: ctx.now, caller: ctx.orgId }, facts);
    return { ...file, headers: fileHeaders.private };
  },
});
