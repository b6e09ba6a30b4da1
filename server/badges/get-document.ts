import { z } from "zod";
import type { Download } from "@/server/core/download";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { formatCode } from "@/server/credentials/code";
import { documentDownload } from "./document-form";
import { loadBadgeFacts } from "./facts";
import { fileHeaders } from "./file";
import { signedBadge } from "./signed-badge";

/**
 * Returns the signed document of an academic credential: JSON with a Data Integrity proof, or the same as vc+jwt.
 *
 * @throws DomainError as signedBadge
 */
export const getCredentialDocument = query({
  name: "credentials.document",
  scope: "credentials:read",
  input: z.strictObject({ id: id("crd"), accept: z.string().max(1000).optional() }),
  async run(ctx, input): Promise<Download> {
    const facts = await loadBadgeFacts(ctx, input.id);
    const badge = await signedBadge(ctx, facts);
    return {
      ...documentDownload(badge, formatCode(facts.code), input.accept),
      headers: { ...fileHeaders.private, vary: "accept, authorization" },
    };
  },
});
