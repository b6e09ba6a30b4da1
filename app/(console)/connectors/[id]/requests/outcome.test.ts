import { expect, it } from "vitest";
import { didWhat, type ScimRequest } from "./outcome";

const request: ScimRequest = {
  id: "req_1",
  at: "2026-01-01T00:00:00Z",
  method: "POST",
  endpoint: "Bulk",
  status: 200,
  error: null,
  effect: {},
  durationMs: 1,
  subjectId: null,
  groupId: null,
  name: null,
};

it.each<[Partial<ScimRequest>, string]>([
  [{ effect: { created: 2 } }, "2 added"],
  [
    { effect: { created: 1, failed: 1 }, error: "A user has a userName." },
    "Added, 1 change refused: A user has a userName.",
  ],
  [{ effect: { failed: 3 }, error: "There is no such user." }, "3 changes refused, the first: There is no such user."],
  [{ endpoint: "Users", status: 400, error: "A user has a userName." }, "A user has a userName."],
])("a request says what it did, and why a change was refused: %o", (more, told) => {
  expect(didWhat({ ...request, ...more })).toBe(told);
});
