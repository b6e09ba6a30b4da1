import { readFile } from "node:fs/promises";
import { z } from "zod";
import { standingOf } from "@/server/access/standing";
import { storeBlob } from "@/server/core/blobs/store";
import { receiveUpload } from "@/server/core/blobs/upload";
import { upload } from "@/server/core/blobs/upload-input";
import { ifMatch } from "@/server/core/entity-tag";
import { DomainError } from "@/server/core/errors";
import type { Id } from "@/server/core/ids";
import { command } from "@/server/core/operation";
import { draw } from "@/server/drawing/draw";
import { changeImage, loadDraft } from "./change-image";
import { imageLimit, imageTypes, keptImageSide, maxImagePixels, minImageSide } from "./image-limits";
import { versionPath } from "./input";
import { versionTag } from "./view";

/**
 * Sets the picture of a draft, which badges show and credentials state. Only a re-encoded PNG is kept. Leaves an audit
 * entry; nothing if it is the same picture.
 *
 * @throws DomainError `version_not_draft`; `unsupported_media_type` and `invalid_request` for a picture that does not fit
 */
export const setAchievementImage = command({
  name: "achievements.versions.setImage",
  scope: "achievements:write",
  input: z.strictObject({ ...versionPath, ifMatch, image: upload }),
  tag: versionTag,
  standing: standingOf,
  async prepare(ctx, input) {
    await loadDraft(ctx, input);
    return { sha256: await store(ctx.orgId, await readFile(input.image.path)) };
  },
  run: (ctx, input, { sha256 }) => changeImage(ctx, input, sha256),
});

async function store(orgId: Id<"org">, bytes: Buffer): Promise<string> {
  const picture = await draw({ caller: orgId }, "picture", {
    bytes,
    maxPixels: maxImagePixels,
    minSide: minImageSide,
    side: keptImageSide,
  });
  if ("unreadable" in picture)
    throw new DomainError(
      "unsupported_media_type",
      "The file is not a picture that can be read. Send a PNG or an SVG.",
      {
        headers: { accept: imageTypes.join(", ") },
      },
    );
  if ("unfit" in picture)
    throw new DomainError("invalid_request", `The picture ${picture.unfit}.`, {
      errors: [{ pointer: "/image", code: "image_size", message: picture.unfit }],
    });
  const file = await receiveUpload(one(picture.png), imageLimit * 4);
  try {
    return await storeBlob(orgId, file);
  } finally {
    await file.discard();
  }
}

async function* one(bytes: Uint8Array) {
  yield bytes;
}
