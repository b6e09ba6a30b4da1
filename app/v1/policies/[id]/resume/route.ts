import { resumePolicy } from "@/server/policies/resume";
import { policySchema } from "@/server/policies/view";
import { route } from "@/server/http/rest/route";

export const POST = route({ operation: resumePolicy, summary: "Resume a paused policy", response: policySchema });
