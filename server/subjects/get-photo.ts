import { z } from "zod";
import { reading } from "@/server/core/db";
import type { Download } from "@/server/core/download";
import { notFound } from "@/server/core/errors";
import { publicId } from "@/server/core/ids";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { density, openPhoto } from "./open-photo";

/** Returns the portrait of a subject at a density, in the best format that the caller accepts. */
export const getPhoto = query({
  name: "subjects.photo",
  scope: "subjects:read",
  input: z.strictObject({ id: id("sub"), density, accept: z.string().max(1000).optional() }),
  async run(ctx, { id, density, accept }): Promise<Download> {
    const photo = await openPhoto(reading(ctx).sql, { orgId: ctx.orgId, subjectId: id, density, accept });
    if (!photo) throw notFound("photo of subject", publicId("sub", id));
    // A shared cache must neither store the photo nor serve it without checking the token.
    return { ...photo, headers: { "cache-control": "private, no-cache", vary: "accept, authorization" } };
  },
});
