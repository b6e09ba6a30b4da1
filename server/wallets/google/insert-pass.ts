import type { Id } from "@/server/core/ids";
import type { GoogleApi } from "./api";
import { classIdOf, putClass } from "./pass-class";
import type { PassContent } from "./pass-object";
import { sendContent, type Sent } from "./send-content";

/** Creates a pass at Google; returns `exists` if it is there. Creates the class of the organisation's passes if it is missing. */
export async function insertPass(
  api: GoogleApi,
  orgId: Id<"org">,
  objectId: string,
  content: PassContent,
): Promise<Sent> {
  const insert = (each: PassContent) => {
    const present = Object.entries(each).filter(([, value]) => value !== null);
    const body = { ...Object.fromEntries(present), id: objectId, classId: classIdOf(api.account.issuerId, orgId) };
    return api.send("POST", "genericObject", body);
  };
  return sendContent(content, async (each) => {
    const made = await insert(each);
    if (made !== "missing") return made;
    const hasClass = await putClass(api, orgId);
    return hasClass === "done" ? insert(each) : hasClass;
  });
}
