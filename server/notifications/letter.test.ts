import { expect, it } from "vitest";
import { newId } from "@/server/core/ids";
import { letterOf } from "./letter";
import { quoted } from "@/server/core/quoted-name";

const facts = {
  endpointId: newId("whe"),
  url: "https://example.edu/hooks",
  description: "Campus cards",
  reason: "failing" as const,
  failingSince: "2026-03-01T10:00:00.000Z",
  willBeDisabledAt: "2026-03-29T23:30:00.000Z",
  disabledAt: null,
  lastFailureDetail: null,
};

it("writes times in the organisation's time zone and locale, and names the zone", () => {
  const { text, html } = letterOf(
    { kind: "endpoint_failing", facts, organisation: "Acme", region: { timeZone: "Europe/Berlin", locale: "en-GB" } },
    "https://example.edu",
  );
  for (const body of [text, html]) {
    expect(body).toContain("since 1 March 2026 at 11:00 CET");
    expect(body).toContain("disabled on 30 March 2026 at 01:30 CEST");
  }
});

it("masks path and query of the endpoint's URL, which may hold a token", () => {
  const told = letterOf(
    {
      kind: "endpoint_failing",
      facts: { ...facts, url: "https://hooks.example.edu/services/T0/secret?key=hidden", description: "" },
      organisation: "Acme",
      region: { timeZone: "UTC", locale: "en-GB" },
    },
    "https://example.edu",
  );
  for (const body of [told.subject, told.text, told.html]) {
    expect(body).toContain("https://hooks.example.edu/***?***");
    expect(body).not.toMatch(/secret|hidden/);
  }
});

it.each([
  "B.Sc. Computer Science",
  "M.Ed.",
  "M.Ed",
  "B.Com. (Hons)",
  "B.Tech in Mining",
  "Ph.D.",
  "LL.M. European Law",
  "Dr.Ing. Ada",
  "Dipl.-Ing. Maschinenbau",
  "St.John Ambulance",
  "St. John’s College",
  "Module 2.5",
  "Physics. Chemistry",
  "U.S.A. History",
])("shows the name %s, which is not a link", (name) => {
  expect(quoted(name)).toBe(`“${name}”`);
});

it.each([
  "evil.example",
  "Win at evil.example now",
  "https://evil.example",
  "www.evil",
  "WWW.Evil",
  "me@evil.example",
  "Evil.Com",
  "T.Co",
  "t.me",
  "Bit.Ly",
  "G.Page",
  "b.sc.evil.example",
  "B.Sc.Evil.Com",
  "evil．example",
  "xn--evil.xn--p1ai",
  "St.Online",
  "evil.example/B.Sc.",
])("omits the name %s, which mail programs turn into a link", (name) => {
  expect(quoted(name)).toBeNull();
});
