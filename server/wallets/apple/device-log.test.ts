import { expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { call } from "@/server/testing/request";
import { loggedAMinute } from "./device-log";

it("what strangers report as phones is no warning, and fills no log", async () => {
  const [info, warn] = [vi.spyOn(log(), "info"), vi.spyOn(log(), "warn")];
  for (let n = 0; n < loggedAMinute; n++)
    expect((await call("POST", "/wallet/apple/v1/log", { body: { logs: ["a", "b"] } })).status).toBe(200);
  expect(warn).not.toHaveBeenCalled();
  expect(info.mock.calls.filter(([, message]) => message?.includes("reports"))).toHaveLength(loggedAMinute);
});
