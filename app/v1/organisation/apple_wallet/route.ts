import { route } from "@/server/http/rest/route";
import { getAppleSettings } from "@/server/wallets/apple/get-settings";
import { removeAppleSettings } from "@/server/wallets/apple/remove-settings";
import { setAppleSettings } from "@/server/wallets/apple/set-settings";
import { appleSettingsSchema } from "@/server/wallets/apple/settings";

export const GET = route({
  operation: getAppleSettings,
  summary: "Get the settings of Apple Wallet",
  description: "When the certificate ends, and what keeps passes from being updated. The key is never told.",
  response: appleSettingsSchema,
});

export const PUT = route({
  operation: setAppleSettings,
  summary: "Set the certificate of Apple Wallet",
  description:
    "Checked as a whole: the certificate names a pass type and a team, the key is its key, Apple's intermediate certificate signed it, and none has expired. Due updates of passes are sent with it. 409 for another pass type than before: remove the settings first.",
  response: appleSettingsSchema,
  example: {
    request: {
      certificate: "-----BEGIN CERTIFICATE-----\n…",
      privateKey: "-----BEGIN PRIVATE KEY-----\n…",
      wwdr: "-----BEGIN CERTIFICATE-----\n…",
    },
  },
});

export const DELETE = route({
  operation: removeAppleSettings,
  summary: "Remove the certificate of Apple Wallet",
  description: "Passes that people have stay as they are, and are no longer updated.",
  response: null,
});
