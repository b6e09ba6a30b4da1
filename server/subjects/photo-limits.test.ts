import { expect, it } from "vitest";
import { densities, maxPhotoRatio, minPhotoSide, sentSize, unfitSize } from "./photo-limits";

it("names the picture's actual size when it refuses it", () => {
  expect(unfitSize(80, 1000)).toBe("has 80 × 1000 pixels; at least 90 are needed on each side");
  expect(unfitSize(20_000, 1000)).toBe(
    "has 20000 × 1000 pixels; one side may be at most 10 times as long as the other",
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
