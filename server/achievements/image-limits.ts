const mebibyte = 1024 * 1024;

/** The largest accepted upload of an achievement's picture, in bytes. */
export const imageLimit = 2 * mebibyte;
/** The most pixels of a PNG. */
export const maxImagePixels = 16_000_000;
/** The shortest side that a PNG may have, in pixels. */
export const minImageSide = 90;
/** The side of the square into which a picture is fitted, in pixels. */
export const keptImageSide = 600;

/** The media types of pictures. */
export const imageTypes = ["image/png", "image/svg+xml"] as const;

/** The requirements for a picture, in words for people who choose one. */
export const imageWords = `PNG or SVG of at most ${imageLimit / mebibyte} MB. A PNG is at least ${minImageSide} pixels wide and high, and of at most ${maxImagePixels / 1_000_000} million pixels. Text in an SVG must be outlines. Square pictures look best.`;
