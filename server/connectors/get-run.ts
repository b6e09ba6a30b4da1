import { z } from "zod";
import { id } from "@/server/core/input";
import { query } from "@/server/core/operation";
import { loadRun, runView } from "./run-view";

/** Returns a run of a connector with its progress. */
export const getConnectorRun = query({
  name: "connectors.runs.get",
  scope: "connectors:read",
  input: z.strictObject({ id: id("con"), run: id("run") }),
  run: async (ctx, input) => runView(await loadRun(ctx, input.id, input.run)),
});
