import { expect, it } from "vitest";
import { densities, maxPhotoRatio, minPhotoSide, photoWords, sentSize, unfitSize } from "./photo-limits";

it.each([
  [80, 1000, "is too narrow: 80 × 1000 pixels; it must be at least 90 pixels wide"],
  [1000, 80, "is too low: 1000 × 80 pixels; it must be at least 90 pixels high"],
  [20_000, 1000, "is too wide: 20000 × 1000 pixels; it may be at most 10 times as wide as high"],
  [1000, 20_000, "is too high: 1000 × 20000 pixels; it may be at most 10 times as high as wide"],
])("names the cause and the picture's actual size when it refuses %i × %i", (width, height, words) => {
  expect(unfitSize(width, height)).toBe(words);
});

it("says to people who choose a photo all that its size can be refused for", () => {
  expect(photoWords).toBe(
    "JPEG, PNG or WebP of at most 10 MB and 64 million pixels, at least 90 pixels wide and high, at most 10 times as wide as high or as high as wide.",
  );
  expect([unfitSize(90, 90), unfitSize(900, 90), unfitSize(3000, 4000)]).toEqual([null, null, null]);
});

it("shrinks a large picture to what the server can use, and keeps the size of a small one", () => {
  expect(sentSize(3000, 4000)).toEqual([810, 1080]);
  expect(sentSize(4000, 3000)).toEqual([1440, 1080]);
  expect(sentSize(90, 120)).toEqual([90, 120]);
  expect(sentSize(20_000, 2000)).toEqual([10_800, 1080]);
});

it("never shrinks an acceptable picture below what is accepted or stored", () => {
  const sides = [minPhotoSide, 120, 271, 359, 360, 811, 1081, 1440, 3000, 9000, 12_000];
  const [storedWidth, storedHeight] = densities["3x"];
  for (const width of sides)
    for (const height of sides.filter((side) => Math.max(side / width, width / side) <= maxPhotoRatio)) {
      const [w, h] = sentSize(width, height);
      expect([unfitSize(w, h), w <= width, h <= height]).toEqual([null, true, true]);
      expect([w >= Math.min(width, storedWidth), h >= Math.min(height, storedHeight)]).toEqual([true, true]);
    }
});
