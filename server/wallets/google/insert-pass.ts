import type { Id } from "@/server/core/ids";
import type { GoogleApi, GoogleResult } from "./api";
import { classIdOf, putClass } from "./pass-class";
import type { passObject } from "./pass-object";

/** Creates a pass at Google; returns `exists` if it is there. Creates the class of the organisation's passes if it is missing. */
export async function insertPass(
  api: GoogleApi,
  orgId: Id<"org">,
  objectId: string,
  content: ReturnType<typeof passObject>,
): Promise<GoogleResult> {
  const present = Object.entries(content).filter(([, value]) => value !== null);
  const body = { ...Object.fromEntries(present), id: objectId, classId: classIdOf(api.account.issuerId, orgId) };
  const made = await api.send("POST", "genericObject", body);
  if (made !== "missing") return made;
  const hasClass = await putClass(api, orgId);
  return hasClass === "done" ? api.send("POST", "genericObject", body) : hasClass;
}
