import { expect, it } from "vitest";
import { defaultRegion } from "@/server/core/dates";
import { design, type Design } from "@/server/templates/design";
import { changesOf } from "./changes";

const version = (design: Design) => ({ design, validity: { type: "none" } as const, achievementId: null });
const changes = (was: Design, is: Design) => changesOf(version(was), version(is), defaultRegion);
const grade = { key: "grade", label: "Grade", binding: "credential.data.grade" };
const team = { key: "team", label: "Team", binding: "attributes.team" };

it("reports nothing for two equal versions", () => {
  const same = { front: { fields: [grade] }, publicFields: ["grade"] };
  expect(changes(same, structuredClone(same))).toEqual([]);
});

it("names fields that were added, removed, moved or made public", () => {
  expect(
    changes(
      { front: { fields: [grade, team] } },
      {
        front: { fields: [{ ...grade, label: "Mark", width: "half" }] },
        back: { fields: [{ key: "found", label: "Found?", text: "Return it" }] },
        publicFields: ["grade"],
      },
    ),
  ).toEqual([
    "The field “Team” is removed.",
    "The field “Grade” is called “Mark” now.",
    "The field “Mark” has another place or width.",
    "Anyone may see the field “Mark” now.",
    "The field “Found?” is new, on the back.",
  ]);
});

it("names changes of colours, pictures, typeface, name and validity", () => {
  const before = version({ logo: "data:image/png;base64,AA==" });
  const after = {
    ...version({
      colors: { accent: "#ff0000" },
      font: "serif",
      back: { background: "data:,", fields: [] },
      publicName: false,
      searchable: true,
    }),
    validity: { type: "duration", amount: 1, unit: "years" } as const,
  };
  expect(changesOf(before, after, defaultRegion)).toEqual([
    "The accent colour: #ff0000 instead of the default.",
    "The typeface: serif instead of the default.",
    "The logo is removed.",
    "The picture of the back is new.",
    "The public no longer sees the holder’s name.",
    "Search engines may list public pages now.",
    "The validity: Valid for 1 year instead of Never expires.",
  ]);
});

it("names a new orientation and a new order", () => {
  expect(changes({ front: { fields: [grade, team] } }, { front: { fields: [team, grade] } })).toEqual([
    "The fields stand in another order.",
  ]);
  expect(changes({ front: { fields: [grade] } }, { front: { fields: [] }, back: { fields: [grade] } })).toEqual([
    "The field “Grade” stands on the back now.",
  ]);
});

const whole: Design = {
  colors: { background: "#112233", foreground: "#445566", accent: "#778899" },
  logo: "data:image/png;base64,AA==",
  font: "serif",
  front: { background: "data:image/png;base64,AA==", fields: [] },
  back: {
    background: "data:image/png;base64,AA==",
    fields: [
      {
        ...grade,
        format: "uppercase",
        width: "half",
        position: { column: 1, row: 2, columns: 3, rows: 4 },
      },
      { key: "found", label: "Found?", text: "Return it" },
    ],
  },
  publicFields: ["grade"],
  publicName: false,
  photoApproval: true,
  searchable: true,
  wallet: { apple: true, google: true, barcode: { format: "code39", field: "grade" } },
  signedQr: true,
};

/** All values of a tree, with their paths. */
const leavesOf = (value: unknown, path: (string | number)[] = []): (string | number)[][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, key]))
    : [path];

const without = (value: Design, path: (string | number)[]): Design => {
  const copy = structuredClone(value);
  let at = copy as unknown as Record<string | number, never>;
  for (const key of path.slice(0, -1)) at = at[key]!;
  delete at[path.at(-1)!];
  return copy;
};

it("names a change of any part of a design", () => {
  expect(Object.keys(whole).sort()).toEqual(Object.keys(design.shape).sort());
  const unnamed = leavesOf(whole).filter(
    (path) => path.at(-1) !== "key" && changes(whole, without(whole, path)).length === 0,
  );
  expect(unnamed.map((path) => path.join("."))).toEqual([]);
});
