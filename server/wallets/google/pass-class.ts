import { env } from "@/server/core/env";
import { publicId, type Id } from "@/server/core/ids";
import type { GoogleApi, GoogleResult } from "./api";

/** The id of the class of an organisation's passes: what they have in common at Google. */
export const classIdOf = (issuerId: string, orgId: Id<"org">): string => `${issuerId}.${publicId("org", orgId)}`;

/** Makes the class of an organisation's passes, or brings it up to date. */
export async function putClass(api: GoogleApi, orgId: Id<"org">): Promise<GoogleResult> {
  const id = classIdOf(api.account.issuerId, orgId);
  const made = await api.send("POST", "genericClass", passClass(id));
  return made === "exists" ? api.send("PATCH", `genericClass/${id}`, passClass(id)) : made;
}

/** The fields of the front, by the ids that passes give them (pass-object.ts). A row without a value is not shown. */
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
  // A credential is one person's, on each of their devices.
  multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES",
  // Google calls https addresses alone.
  ...(env().PUBLIC_URL.startsWith("https://") && {
    callbackOptions: { url: `${env().PUBLIC_URL}/wallet/google/v1/callback` },
  }),
});

const field = (id: string) => ({
  firstValue: { fields: [{ fieldPath: `object.textModulesData['${id}']` }] },
});
