import { expect, it } from "vitest";
import { effectOptions, outcomeOf, summaryOf, type Run } from "./words";

const none = {
  issue: 0,
  confirming: 0,
  keep: 0,
  foreign: 0,
  renew: 0,
  resume: 0,
  suspend: 0,
  revoke: 0,
  grace: 0,
  blocked: 0,
  refused: 0,
};

it("accounts for everybody in the summary of a preview", () => {
  expect(summaryOf({ counts: { ...none, foreign: 78, blocked: 4 } })).toBe(
    "Nothing would change. 78 were issued otherwise, and this policy never ends them. 4 people get none, because a person or the API has ended or refused theirs.",
  );
  expect(summaryOf({ counts: { ...none, issue: 2, confirming: 1, suspend: 1, grace: 1, keep: 1 } })).toBe(
    "2 credentials would be issued, 1 credential would be suspended. 1 stays as it is. 1 person was asked to confirm the name, and gets theirs then. 1 stays valid for the days of grace, and ends after them.",
  );
});

it("says of a denial when and how the credential ends", () => {
  const denialOf = (policy: Parameters<typeof effectOptions>[0]) =>
    effectOptions(policy).find(({ value }) => value === "deny")!.description;
  expect(denialOf({ onExit: "suspend", graceDays: 0 })).toMatch(/is suspended with the next run/);
  expect(denialOf({ onExit: "revoke", graceDays: 5 })).toMatch(/is revoked after the 5 days of grace/);
  expect(denialOf({ onExit: "none", graceDays: 5 })).toMatch(/stays valid until it expires/);
});

it("says of a run that waits for an approval or was discarded that it changed nothing", () => {
  const run = { counts: { ...none, suspend: 30 }, error: null } as Run;
  expect(outcomeOf({ ...run, status: "halted" })).toBe("Changed nothing. Planned: 30 suspended");
  expect(outcomeOf({ ...run, status: "discarded" })).toBe("Changed nothing. Planned: 30 suspended");
  expect(outcomeOf({ ...run, status: "completed" })).toBe("30 suspended");
  const asked = { ...run, counts: { ...none, issue: 2, confirming: 1 } };
  expect(outcomeOf({ ...asked, status: "completed" })).toBe("2 issued, 1 asked to confirm their name");
});
