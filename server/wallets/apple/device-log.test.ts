import { expect, it, vi } from "vitest";
import { log } from "@/server/core/log";
import { call } from "@/server/testing/request";
import { maxLinesPerMinute } from "./device-log";

it("limits the log lines that anyone can send as a phone, and logs them below the level of warnings", async () => {
  const [info, warn] = [vi.spyOn(log(), "info"), vi.spyOn(log(), "warn")];
  for (let n = 0; n < maxLinesPerMinute; n++)
    expect((await call("POST", "/wallet/apple/v1/log", { body: { logs: ["a", "b"] } })).status).toBe(200);
  expect(warn).not.toHaveBeenCalled();
  expect(info.mock.calls.filter(([, message]) => message?.includes("reports"))).toHaveLength(maxLinesPerMinute);
});
