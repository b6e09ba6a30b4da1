import { describe, expect, it } from "vitest";
import { removeMember } from "@/server/organisations/remove-member";
import { person } from "@/server/testing/person";
import { world } from "@/server/testing/world";
import { actorNames } from "./actor-names";
import { createApiKey } from "./create-api-key";
import { createOAuthClient } from "./create-oauth-client";

describe("the names of those who acted", () => {
  it("are told of members, of those who have left, and of keys and clients", async () => {
    const home = await world();
    const [stays, left] = [await person(home, "issuer"), await person(home, "admin")];
    const key = await createApiKey(home.ctx, { name: "SIS" });
    const client = await createOAuthClient(home.ctx, { name: "Portal" });
    await removeMember(home.ctx, { id: left.memberId });
    const ids = [stays.claims.userId, left.claims.userId, key.id, client.id, "usr_nobody"];
    expect(new Map((await actorNames(home.ctx, { ids })).map(({ id, name }) => [id, name]))).toEqual(
      new Map([[stays.claims.userId, stays.email], [left.claims.userId, left.email], [key.id, "SIS"], [client.id, "Portal"]]),
    );
  });

  it("are not told of another organisation's", async () => {
    const [mine, other] = [await world(), await world()];
    const { claims } = await person(other, "owner");
    const key = await createApiKey(other.ctx, { name: "SIS" });
    expect(await actorNames(mine.ctx, { ids: [claims.userId, key.id] })).toEqual([]);
  });
});
