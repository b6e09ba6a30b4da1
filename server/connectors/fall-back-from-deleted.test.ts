import { beforeAll, expect, it } from "vitest";
import { readId, uuidOf, type PublicId } from "@/server/core/ids";
import { Directory } from "@/server/scim/testing/directory";
import { ownDatabase } from "@/server/testing/own-database";
import { refuseWrites } from "@/server/testing/refuse-writes";
import { world } from "@/server/testing/world";
import { fallBackFromDeleted } from "./fall-back-from-deleted";

beforeAll(ownDatabase);

it("gives people the values of another directory even if those of another deleted connector cannot be written", async () => {
  const deleted = async () => {
    const w = await world();
    const [first, other] = [await Directory.open(w, { priority: 10 }), await Directory.open(w)];
    const user = { userName: "ada@example.org", externalId: "ada" };
    const { id } = await first.user(user.userName, { ...user, displayName: "First" });
    await other.user(user.userName, { ...user, displayName: "Other" });
    await first.rest("DELETE", `/connectors/${first.id}`);
    return { id: first.id, name: async () => (await other.subject(id))["displayName"] };
  };
  const [broken, next] = [await deleted(), await deleted()];
  const refused = uuidOf(readId("con", broken.id as PublicId<"con">));
  const allow = await refuseWrites("UPDATE", "connectors", `new.id = '${refused}'`);
  await expect(
    (async () => {
      while (await fallBackFromDeleted(new Date()));
    })(),
  ).rejects.toThrow("refused");
  expect([await broken.name(), await next.name()]).toEqual(["First", "Other"]);
  await allow();
  while (await fallBackFromDeleted(new Date()));
  expect(await broken.name()).toBe("Other");
});
