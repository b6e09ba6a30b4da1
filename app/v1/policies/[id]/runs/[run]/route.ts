import { getPolicyRun } from "@/server/policies/get-run";
import { runSchema } from "@/server/policies/run-view";
import { route } from "@/server/http/rest/route";

export const GET = route({ operation: getPolicyRun, summary: "Get a run of a policy", response: runSchema });
