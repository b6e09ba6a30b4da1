import { expect, it } from "vitest";
import { pathShape } from "./path-shape";

it.each([
  ["/c/7Q2M-0X4K-9VTB-C31E", "/c"],
  ["/verify?code=7Q2M-0X4K-9VTB-C31E", "/verify"],
  ["/invite?token=secret", "/invite"],
  ["/public/credentials/7Q2M-0X4K-9VTB-C31E", "/public/credentials"],
  ["/v1/subjects/sub_1?externalId=ada%40example.edu", "/v1/subjects"],
  ["/api/trpc/subjects.list?input=ada", "/api/trpc"],
  ["/", "/"],
  ["", ""],
])("pathShape turns %s into %s", (url, shape) => {
  expect(pathShape(url)).toBe(shape);
});
