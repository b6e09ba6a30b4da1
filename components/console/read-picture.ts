import { isHeic } from "@/components/heic";
import { photoLimit, sentSize, unfitSize } from "@/server/subjects/photo-limits";

const mebibyte = 1024 * 1024;
const types = ["image/jpeg", "image/png", "image/webp"];

/** The `accept` attribute for a photo. With only these types, an iPhone converts its HEIC photos to JPEG. */
export const pictureTypes = types.join(",");

/** Why a file cannot be sent as a photo, as a message. */
export class UnfitPicture extends Error {}

/**
 * Reads a picture of a person as base64 and scales a large picture down, so that a phone's photo is sent quickly.
 * Applies the orientation of the camera.
 *
 * @throws UnfitPicture
 */
export async function readPicture(file: File): Promise<string> {
  if (isHeic(file))
    throw new UnfitPicture("This is a HEIC picture, which can’t be used. Save it as a JPEG and choose that.");
  if (!types.includes(file.type))
    throw new UnfitPicture(`“${file.name}” is not a picture that can be used. Choose a JPEG, PNG or WebP.`);
  if (file.size > photoLimit)
    throw new UnfitPicture(
      `This picture has ${Math.ceil(file.size / mebibyte)} MB. Choose one of at most ${photoLimit / mebibyte} MB.`,
    );
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new UnfitPicture("This file can’t be read as a picture. It may be damaged. Choose another.");
  });
  const problem = unfitSize(bitmap.width, bitmap.height);
  if (problem) throw new UnfitPicture(`This picture ${problem}. Choose another.`);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = sentSize(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d")!;
  // JPEG has no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", 0.92).split(",")[1]!;
}
