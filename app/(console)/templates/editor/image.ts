const kibibyte = 1024;

/**
 * Reads a picture (PNG, JPEG or WebP) as a data URL for a design. A picture that is larger than the given number of KiB
 * is scaled down.
 */
export async function readImage(
  file: File,
  { maxKibibytes, maxSide }: { maxKibibytes: number; maxSide: number },
): Promise<string> {
  const bitmap = await createImageBitmap(file);
  for (let side = maxSide; side >= 48; side = Math.round(side * 0.75)) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext("2d")!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    for (const type of ["image/webp", "image/png"]) {
      const url = canvas.toDataURL(type, 0.9);
      if (url.length <= maxKibibytes * kibibyte && url.startsWith(`data:${type}`)) return url;
    }
  }
  throw new Error("The picture cannot be made small enough.");
}
