const mebibyte = 1024 * 1024;

/** Width and height of a photo at each density, in pixels (contract section 4). The ratio is always 3:4. */
export const densities = { "1x": [90, 120], "2x": [180, 240], "3x": [270, 360] } as const;
export type Density = keyof typeof densities;

/** The largest accepted upload of a photo, in bytes. */
export const photoLimit = 10 * mebibyte;

/** The minimum length of the shorter side, in pixels. */
export const minPhotoSide = densities["1x"][0];

/**
 * The maximum ratio of the longer to the shorter side. A strip 90 pixels wide would grow to gigabytes when it is scaled
 * and cropped to 3:4.
 */
export const maxPhotoRatio = 10;

/** A phone's camera takes pictures of 12 to 50 million pixels. A larger image is refused before it is decoded. */
export const maxPixels = 64_000_000;

/** The requirements for a photo, in words for people who choose one. */
export const photoWords = `JPEG, PNG or WebP of at most ${photoLimit / mebibyte} MB and ${maxPixels / 1_000_000} million pixels, at least ${minPhotoSide} pixels wide and high, at most ${maxPhotoRatio} times as wide as high or as high as wide.`;

/** Returns why a picture of this size is refused; null if it is not. */
export function unfitSize(width: number, height: number): string | null {
  const size = `${width} × ${height} pixels`;
  if (width < minPhotoSide) return `is too narrow: ${size}; it must be at least ${minPhotoSide} pixels wide`;
  if (height < minPhotoSide) return `is too low: ${size}; it must be at least ${minPhotoSide} pixels high`;
  if (width > maxPhotoRatio * height)
    return `is too wide: ${size}; it may be at most ${maxPhotoRatio} times as wide as high`;
  if (height > maxPhotoRatio * width)
    return `is too high: ${size}; it may be at most ${maxPhotoRatio} times as high as wide`;
  return null;
}

/**
 * Width and height, in pixels, that a picture must cover so that the largest rendition is sharp after being encoded
 * twice.
 */
const enough = densities["3x"].map((side) => side * 3);

/**
 * Returns the size to which a picture may shrink before it is sent: no larger than the server can use, but large enough
 * that it is neither refused nor enlarged again. A small picture keeps its size.
 */
export function sentSize(width: number, height: number): [width: number, height: number] {
  const scale = Math.min(1, Math.max(enough[0]! / width, enough[1]! / height));
  return [Math.ceil(width * scale), Math.ceil(height * scale)];
}
