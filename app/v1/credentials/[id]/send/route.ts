import { sendCredential } from "@/server/channels/send";
import { channelSchema } from "@/server/channels/view";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: sendCredential,
  summary: "Send a credential to its holder by e-mail",
  description:
    "The message has the link to the credential's public page. It is sent after the answer: credential.channel.provisioned or credential.channel.failed tells how it went. Sending to the same address again renews its channel; within five minutes that is 429. 409 unless the credential is pending or active, and where the holder has no address and none is sent.",
  response: channelSchema,
  statuses: [202],
  location: ({ credentialId }) => `/v1/credentials/${credentialId}/channels`,
  example: { request: { to: "ada@example.edu" } },
});
