import { listChannels } from "@/server/channels/list";
import { channelSchema } from "@/server/channels/view";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";
import { addChannel, addedChannelSchema } from "@/server/wallets/add-channel";

export const GET = route({
  operation: listChannels,
  summary: "List where a credential was sent, and the wallets that hold it",
  response: pageOf(channelSchema),
});

export const POST = route({
  operation: addChannel,
  summary: "Offer a credential to its holder on a channel",
  description:
    "email sends the link to the public page, as /send does. apple_wallet makes the pass and answers with the link to add it, which the holder opens on the phone. Each phone that adds it becomes a channel of its own: credential.channel.installed tells of it, and credential.channel.removed when its holder takes it out. google_wallet makes the pass at Google, before it answers with the link to add it; it is one channel, whatever devices its holder has.",
  response: addedChannelSchema,
  statuses: [201],
  location: ({ credentialId }) => `/v1/credentials/${credentialId}/channels`,
  example: { request: { type: "email", to: "ada@example.edu" } },
});
