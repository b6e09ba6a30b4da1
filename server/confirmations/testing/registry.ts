import { expect } from "vitest";
import { someAddress } from "@/server/claims/testing/claims";
import { env } from "@/server/core/env";
import type { ConfirmationView } from "@/server/credentials/confirmation";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import { world } from "@/server/testing/world";
import { askingTemplate } from "./confirmations";

/** A template whose holders confirm their names, with its requests over REST. */
export async function registry(more: Parameters<typeof askingTemplate>[1] = {}) {
  const home = await world();
  const token = await home.key();
  const { id: templateId } = await askingTemplate(home.ctx, { name: "Degree", ...more });
  const request = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
    call(method, path, { token, ...(body && { body }) });
  const ada = { externalId: "s-1", displayName: "Ada Lovelace", email: someAddress() };
  return {
    ...home,
    ada,
    templateId,
    request,
    ask: (terms: object = {}, subject: object = ada) =>
      request("POST", "/v1/credentials", { subject, templateId, ...terms }),
    credentials: async () => (await request("GET", "/v1/credentials")).json<{ data: { id: string }[] }>().data,
    load: async (id: string) => (await request("GET", `/v1/name_confirmations/${id}`)).json<ConfirmationView>(),
    waiting: async () =>
      (await request("GET", "/v1/name_confirmations?state=waiting")).json<{ data: ConfirmationView[] }>().data,
    types: async () =>
      (await eventsOf(home.orgId)).map(({ type }) => type).filter((type) => !/^(?:subject|template)\./.test(type)),
  };
}

export const pathOf = (link: string | null) => new URL(link!).pathname;
export const open = (link: string | null, cookie = "") => call("GET", pathOf(link), { headers: { cookie } });
/** The page to which a refused form leads. */
export const shownAfter = async (link: string | null, refused: { status: number; headers: Headers }) => {
  expect([refused.status, refused.headers.get("location")]).toEqual([303, pathOf(link)]);
  return (await open(link, refused.headers.get("set-cookie")!.split(";")[0])).text;
};
export const answer = (link: string | null, fields: Record<string, string>) =>
  call("POST", pathOf(link), {
    raw: new URLSearchParams(fields).toString(),
    headers: { origin: new URL(env().PUBLIC_URL).origin, "content-type": "application/x-www-form-urlencoded" },
  });
export const confirm = (link: string | null, name = "Ada Lovelace") => answer(link, { step: "confirm", name });
