import { expect, it } from "vitest";
import { sendCredential } from "@/server/channels/send";
import { eraseSubject } from "@/server/erasure/erase-subject";
import { call } from "@/server/testing/request";
import { cancelMessage } from "./cancel";
import { withMessages } from "./testing/with-messages";

it("messages are found by address, name and external id, in parts, in any order and without accents", async () => {
  const { issue, request } = await withMessages(["issued"]);
  await issue({ externalId: "guest-7", displayName: "Zoë Müller", email: "zoe@Example.edu" });
  await issue({ externalId: "guest-8", displayName: "Grace Hopper", email: "grace@example.edu" });
  const found = async (q: string) =>
    (await request("GET", `/v1/messages?q=${encodeURIComponent(q)}&offset=0`)).json<{
      data: { to: string }[];
      total: number;
    }>();
  expect((await found("")).total).toBe(2);
  for (const q of ["muller zoe", "ZOE@EXAMPLE", "guest-7", "  zoë "])
    expect([q, (await found(q)).data.map(({ to }) => to.toLowerCase())]).toEqual([q, ["zoe@example.edu"]]);
  for (const q of ["nobody", "%", "zoe grace"]) expect([q, (await found(q)).total]).toEqual([q, 0]);
  const sent = await request("GET", "/v1/messages?q=example.edu&limit=1");
  const next = sent.json<{ nextCursor: string }>().nextCursor;
  expect((await request("GET", `/v1/messages?q=zoe&limit=1&cursor=${next}`)).json()["code"]).toBe("invalid_cursor");
});

it("the present text of a message is shown, and is gone after the person was erased", async () => {
  const { home, issue, request } = await withMessages(["issued"]);
  const { subjectId, verifyUrl } = await issue();
  const { data } = (await request("GET", "/v1/messages")).json<{ data: { id: string }[] }>();
  const path = `/v1/messages/${data[0]!.id}/text`;
  const shown = (await request("GET", path)).json<{ subject: string; text: string; isSent: boolean }>();
  expect(shown).toMatchObject({ object: "message_text", isSent: false });
  expect(shown.text).toContain(verifyUrl);
  expect(shown.subject).not.toBe("");
  const lacking = await call("GET", path, { token: await home.key("credentials:read") });
  expect([lacking.status, lacking.json()["code"]]).toEqual([403, "insufficient_scope"]);
  await eraseSubject(home.ctx, { id: subjectId, reason: "Asked" });
  expect((await request("GET", path)).status).toBe(410);
});

it("a message that is sent again too soon says when to try again", async () => {
  const { home, issue, outbox, request } = await withMessages(["issued"]);
  const { id: credentialId } = await issue();
  const [message] = await outbox();
  const again = () => request("POST", `/v1/messages/${message!["id"] as string}/resend`);
  const asked = await again();
  expect([asked.status, asked.json()["detail"]]).toEqual([
    429,
    "This message was queued, sent or tried less than five minutes ago. Try again in 5 minutes.",
  ]);
  expect(Number(asked.headers.get("retry-after"))).toBeGreaterThan(240);
  await sendCredential(home.ctx, { id: credentialId, to: "other@example.edu" });
  const [byHand] = await outbox();
  await cancelMessage(home.ctx, { id: byHand!["id"] as string });
  const send = await request("POST", `/v1/credentials/${credentialId}/send`, { to: "other@example.edu" });
  expect([send.status, send.json()["detail"]]).toEqual([
    429,
    "A message to this address was asked for less than five minutes ago. Try again in 5 minutes.",
  ]);
});

it("a message is read by its id, and only by its organisation", async () => {
  const { issue, outbox, request } = await withMessages(["issued"]);
  await issue();
  const [message] = await outbox();
  const path = `/v1/messages/${message!["id"] as string}`;
  expect((await request("GET", path)).json()).toEqual(message);
  const other = await withMessages([]);
  expect((await other.request("GET", path)).json()["code"]).toBe("not_found");
});
