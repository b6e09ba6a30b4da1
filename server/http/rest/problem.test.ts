import { expect, it } from "vitest";
import { DomainError, type ExtensionMembers } from "@/server/core/errors";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { problemBody } from "./problem";

it("an extension member never replaces a standard one, and its type does not compile", () => {
  // @ts-expect-error status is a standard member
  const members: ExtensionMembers = { status: "archived", action: "publish" };
  expect(JSON.parse(problemBody(new DomainError("version_state", "No.", { members }), "req_1"))).toMatchObject({
    status: 409,
    code: "version_state",
    action: "publish",
  });
});

it("publishing an archived version answers 409 with the number as status", async () => {
  const token = await (await world()).key();
  const { id } = (
    await call("POST", "/v1/templates", { token, body: { name: "T", kind: "membership", publish: true } })
  ).json<{ id: string }>();
  const step = (action: string) => call("POST", `/v1/templates/${id}/versions/1/${action}`, { token, body: {} });
  await step("archive");
  const refused = await step("publish");
  expect([refused.status, refused.json()]).toEqual([
    409,
    expect.objectContaining({ status: 409, code: "version_state", state: "archived", action: "publish" }),
  ]);
});
