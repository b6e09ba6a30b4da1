import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import type { GoogleApi, GoogleResult } from "./api";

/** The id of an organisation's class at Google: the layout and settings that all its passes share. */
export const classIdOf = (issuerId: string, orgId: Id<"org">): string => `${issuerId}.${publicId("org", orgId)}`;

/** Creates or updates the class of an organisation's passes. */
export async function putClass(api: GoogleApi, orgId: Id<"org">): Promise<GoogleResult> {
  const id = classIdOf(api.account.issuerId, orgId);
  const made = await api.send("POST", "genericClass", passClass(id));
  return made === "exists" ? api.send("PATCH", `genericClass/${id}`, passClass(id)) : made;
}

/** The layout of the front: rows of fields, whose ids pass-object.ts fills. Google hides a row without values. */
const passClass = (id: string) => ({
  id,
  classTemplateInfo: {
    cardTemplateOverride: {
      cardRowTemplateInfos: [
        { oneItem: { item: field("status") } },
        { twoItems: { startItem: field("front_1"), endItem: field("front_2") } },
        { twoItems: { startItem: field("front_3"), endItem: field("front_4") } },
      ],
    },
  },
  // A pass belongs to one person, who may have it on several devices.
  multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES",
  // Google calls only https addresses.
  ...(env().PUBLIC_URL.startsWith("https://") && {
    callbackOptions: { url: `${env().PUBLIC_URL}/wallet/google/v1/callback` },
  }),
});

const field = (id: string) => ({
  firstValue: { fields: [{ fieldPath: `object.textModulesData['${id}']` }] },
});
