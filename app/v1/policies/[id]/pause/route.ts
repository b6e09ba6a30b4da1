import { pausePolicy } from "@/server/policies/pause";
import { policySchema } from "@/server/policies/view";
import { route } from "@/server/http/rest/route";

export const POST = route({ operation: pausePolicy, summary: "Pause a policy", response: policySchema });
