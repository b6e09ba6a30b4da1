import { beforeAll, expect, it } from "vitest";
import { transaction } from "@/server/core/transaction";
import { Directory } from "@/server/scim/testing/directory";
import { begin } from "@/server/testing/deadlocks";
import { eventsOf } from "@/server/testing/events";
import { ownDatabase } from "@/server/testing/own-database";
import { world, type World } from "@/server/testing/world";
import { runConnectorStep } from "./run/step";
import { Feed, fileOf, numbers } from "./testing/feed";
import { peopleOf } from "./testing/outcome";
import { untilPhase } from "./testing/until-phase";

beforeAll(ownDatabase);

const fields = { externalId: "id", displayName: "name" };

/** A connector with a run that holds the deactivations of p-16 to p-30. */
async function heldFeed(w: World) {
  const feed = await Feed.open(w, { missing: "deactivate", mapping: fields });
  await feed.upload(fileOf(numbers(1, 30)));
  const held = await feed.upload(fileOf(numbers(1, 15)));
  expect(held).toMatchObject({ status: "held", counts: { held: 15 } });
  const approver = await w.key("connectors:approve", "connectors:read");
  return { feed, held, approve: (body = {}) => feed.post(`/runs/${held.id}/approve`, body, approver) };
}

/** Uploads a file that lists only changes, without processing its run. */
async function queueChanges(feed: Feed, text: string): Promise<void> {
  const form = new FormData();
  form.set("mode", "delta");
  form.set("file", new Blob([text]), "changes.csv");
  const body = new Response(form);
  await feed.queue(new Uint8Array(await body.arrayBuffer()), { "content-type": body.headers.get("content-type")! });
}

/** Holds the locks of some people while the requests begin, one after another, each until it waits. */
const whileLocked = (w: World, externalIds: string[], requests: (() => Promise<unknown>)[]) =>
  transaction(async (tx) => {
    await tx.sql(`SELECT 1 FROM subjects WHERE org_id = $1 AND external_id = ANY($2) FOR UPDATE`, [
      w.orgId,
      externalIds,
    ]);
    const begun = [];
    for (const request of requests) begun.push(await begin(request));
    expect(begun.map(({ waits }) => waits)).toEqual(begun.map(() => true));
    return begun.map(({ answer }) => answer);
  }).then((answers) => Promise.all(answers));

const inactive = async (w: World) =>
  (await peopleOf(w, { status: "inactive" })).map(({ externalId }) => externalId).toSorted();
const ids = (from: number, to: number) => numbers(from, to).map((n) => `p-${n}`);

it("an approval is refused while a newer file is applied, which may list people who wait", async () => {
  const w = await world();
  const { feed, approve } = await heldFeed(w);
  await queueChanges(feed, fileOf([1, 20]).replace("Person 1", "Renamed"));
  await untilPhase("applying", w);
  const [, answer] = (await whileLocked(w, ["p-1"], [() => runConnectorStep(new Date()), approve])) as [
    unknown,
    Awaited<ReturnType<typeof approve>>,
  ];
  expect([answer.status, answer.json()]).toMatchObject([409, { code: "run_in_progress" }]);
  await feed.work();
  const again = await approve();
  expect([again.status, again.json()]).toMatchObject([409, { code: "count_mismatch", count: 14 }]);
  expect((await approve({ expectedCount: 14 })).status).toBe(202);
  await feed.work();
  expect(await inactive(w)).toEqual(ids(16, 30).filter((id) => id !== "p-20"));
});

it("an approval deactivates nobody whom a directory takes over while it is carried out", async () => {
  const w = await world();
  const { feed, held, approve } = await heldFeed(w);
  const directory = await Directory.open(w);
  await approve();
  await untilPhase("removing", w);
  await whileLocked(
    w,
    ["p-20"],
    [() => directory.user("p20@example.edu", { externalId: "p-20" }), () => runConnectorStep(new Date())],
  );
  await feed.work();
  expect(await feed.run(held.id)).toMatchObject({ status: "succeeded", counts: { deactivated: 14, held: 0 } });
  expect(await inactive(w)).toEqual(ids(16, 30).filter((id) => id !== "p-20"));
  const removals = await feed.removals(held.id);
  expect(removals.filter(({ state }) => state === "dropped").map(({ externalId }) => externalId)).toEqual(["p-20"]);
});

it("of several approvals and a cancellation at once, one is carried out, and everybody is deactivated once", async () => {
  for (let round = 0; round < 4; round++) {
    const w = await world();
    const { feed, held, approve } = await heldFeed(w);
    const cancel = async () => feed.post(`/runs/${held.id}/cancel`, {}, await w.key("connectors:approve"));
    const answers = await Promise.all([approve(), approve(), approve(), ...(round % 2 === 0 ? [cancel()] : [])]);
    await Promise.all([feed.work(), feed.work()]);
    const approvals = answers.slice(0, 3).map(({ status }) => status);
    const { status } = await feed.run(held.id);
    const isApproved = approvals.includes(202);
    expect(approvals.toSorted()).toEqual(isApproved ? [202, 409, 409] : [409, 409, 409]);
    if (round % 2 === 1) expect(isApproved).toBe(true);
    const deactivated = (await eventsOf(w.orgId)).filter(({ type }) => type === "subject.deactivated");
    expect(deactivated).toHaveLength((await inactive(w)).length);
    // A cancellation after the approval stops the run between two steps.
    if (status === "succeeded") expect(await inactive(w)).toEqual(ids(16, 30));
    else expect([status, await inactive(w)]).toEqual(["cancelled", []]);
  }
});
