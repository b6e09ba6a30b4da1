import { describe, expect, it } from "vitest";
import { describedRoutes } from "@/server/http/openapi/document";
import { eventsRouter } from "./routers/events";
import { webhooksRouter } from "./routers/webhooks";

const ofConsole = [webhooksRouter, eventsRouter]
  .flatMap((each) => Object.values(each._def.procedures))
  .map(({ _def }) => (_def.meta as { operation: string }).operation);
const ofApi = describedRoutes()
  .filter(({ path }) => /^\/v1\/(webhook_|events)/.test(path))
  .map(({ spec }) => spec.operation.operation.name);

describe("webhooks and events", () => {
  it("are the same operations in the console and in the API", () => {
    expect(ofConsole.toSorted()).toEqual(ofApi.toSorted());
    expect(ofApi).toContain("webhooks.queue");
  });
});
