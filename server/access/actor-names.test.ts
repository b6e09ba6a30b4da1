import { expect, test } from "vitest";
import { world } from "@/server/testing/world";
import { actorNames } from "./actor-names";
import { createApiKey } from "./create-api-key";
import { createOAuthClient } from "./create-oauth-client";

test("actor names include keys and clients of the organisation and omit those of others", async () => {
  const [w, other] = await Promise.all([world(), world()]);
  const key = await createApiKey(w.ctx, { name: "Student system" });
  const client = await createOAuthClient(w.ctx, { name: "Portal" });
  const foreign = await createApiKey(other.ctx, { name: "Elsewhere" });
  const names = await actorNames(w.ctx, { ids: [key.id, client.id, foreign.id, "job"] });
  expect(new Map(names.map((each) => [each.id, each.name]))).toEqual(
    new Map([
      [key.id, "Student system"],
      [client.id, "Portal"],
    ]),
  );
});
