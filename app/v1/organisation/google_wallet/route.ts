import { route } from "@/server/http/rest/route";
import { getGoogleSettings } from "@/server/wallets/google/get-settings";
import { removeGoogleSettings } from "@/server/wallets/google/remove-settings";
import { setGoogleSettings } from "@/server/wallets/google/set-settings";
import { googleSettingsSchema } from "@/server/wallets/google/settings";

export const GET = route({
  operation: getGoogleSettings,
  summary: "Get the settings of Google Wallet",
  description: "The service account, and what keeps passes from being updated. The key is never told.",
  response: googleSettingsSchema,
});

export const PUT = route({
  operation: setGoogleSettings,
  summary: "Set the service account of Google Wallet",
  description:
    "Tried at once: Google has to accept the key and to let the account make passes for the issuer. Due updates of passes are sent with it. 409 for another issuer than before: remove the settings first. 503 if Google cannot be asked; then nothing changes.",
  response: googleSettingsSchema,
  example: {
    request: {
      issuerId: "3388000000012345678",
      serviceAccount:
        '{"type": "service_account", "client_email": "passes@acme.iam.gserviceaccount.com", "private_key_id": "…", "private_key": "…"}',
    },
  },
});

export const DELETE = route({
  operation: removeGoogleSettings,
  summary: "Remove the service account of Google Wallet",
  description: "Passes that people have stay as they are, and are no longer updated.",
  response: null,
});
