import { beforeEach } from "vitest";
import { world, type World } from "@/server/testing/world";
import { Directory } from "./directory";

/** The organisation of the present test. */
export let w: World;
/** Its directory, whose limit is two removals. */
export let directory: Directory;
/** Five users of the directory. */
export let people: { id: string }[];

/** Opens a directory with five users for each test of a file. */
export function openLimitedDirectory(): void {
  beforeEach(async () => {
    w = await world();
    directory = await Directory.open(w, { limits: { deactivations: 2, deactivationPercent: 0 } });
    people = [];
    for (let n = 0; n < 5; n++)
      people.push(await directory.user(`p-${n}@example.org`, { externalId: `p-${n}`, displayName: `Person ${n}` }));
  });
}

export const deactivate = (n: number) =>
  directory.patch(people[n]!.id, [{ op: "replace", path: "active", value: false }]);
export const remove = (n: number) => directory.scim("DELETE", `/Users/${people[n]!.id}`);
export const statuses = async () => Promise.all(people.map(async ({ id }) => (await directory.subject(id))["status"]));
export const decide = (verb: "approve" | "discard", body: object = {}) =>
  directory.rest("POST", `/connectors/${directory.id}/staged/${verb}`, body);
