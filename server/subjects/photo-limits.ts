const mebibyte = 1024 * 1024;

/** Pixels of a photo at each density (contract section 4): always 3 to 4. */
export const densities = { "1x": [90, 120], "2x": [180, 240], "3x": [270, 360] } as const;
export type Density = keyof typeof densities;

/** Bytes of a photo as it is sent. */
export const photoLimit = 10 * mebibyte;

/** Pixels that the shorter side must have. */
export const minPhotoSide = densities["1x"][0];

/**
 * How many times the longer side may have the length of the shorter one. A strip of 90 pixels would grow to gigabytes
 * on its way to 3:4.
 */
export const maxPhotoRatio = 10;

/** What is asked of a photo, for people who choose one. */
export const photoWords = `JPEG, PNG or WebP of at most ${photoLimit / mebibyte} MB, at least ${minPhotoSide} pixels wide and high, and no more than ${maxPhotoRatio} times as long as wide.`;

/** Why a picture of this size is refused; null where it is not. */
export function unfitSize(width: number, height: number): string | null {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (shorter < minPhotoSide)
    return `has ${width} × ${height} pixels; at least ${minPhotoSide} are needed on each side`;
  if (longer > maxPhotoRatio * shorter)
    return `has ${width} × ${height} pixels; one side may be at most ${maxPhotoRatio} times as long as the other`;
  return null;
}

/** Pixels that both sides together must cover for the largest rendition to be sharp after it was encoded twice. */
const enough = densities["3x"].map((side) => side * 3);

/**
 * The size to which a picture can shrink before it is sent: no more than the server can use, and never so that it
 * would be refused or enlarged again. A picture that is small stays as it is.
 */
export function sentSize(width: number, height: number): [width: number, height: number] {
  const scale = Math.min(1, Math.max(enough[0]! / width, enough[1]! / height));
  return [Math.ceil(width * scale), Math.ceil(height * scale)];
}
