import { listChannels } from "@/server/channels/list";
import { channelSchema } from "@/server/channels/view";
import { pageOf } from "@/server/core/pagination";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: listChannels,
  summary: "List where a credential was sent",
  response: pageOf(channelSchema),
});
