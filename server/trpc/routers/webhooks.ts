import { createWebhookEndpoint } from "@/server/webhooks/endpoints/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/endpoints/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/endpoints/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/endpoints/enable";
import { getWebhookEndpoint } from "@/server/webhooks/endpoints/get";
import { getWebhookDelivery } from "@/server/webhooks/deliveries/get-delivery";
import { listWebhookEndpoints } from "@/server/webhooks/endpoints/list";
import { listWebhookAttempts } from "@/server/webhooks/deliveries/list-attempts";
import { listEndpointDeliveries, listWebhookDeliveries } from "@/server/webhooks/deliveries/list-deliveries";
import { pauseWebhookEndpoint } from "@/server/webhooks/endpoints/pause";
import { getWebhookQueue } from "@/server/webhooks/deliveries/queue";
import { recoverWebhookEndpoint } from "@/server/webhooks/deliveries/recover";
import { replayMissingEvents } from "@/server/webhooks/deliveries/replay-missing";
import { resendWebhookDeliveries, resendWebhookDelivery } from "@/server/webhooks/deliveries/resend";
import { retireWebhookSecret } from "@/server/webhooks/endpoints/retire-secret";
import { rotateWebhookSecret } from "@/server/webhooks/endpoints/rotate-secret";
import { sendWebhookTest } from "@/server/webhooks/deliveries/send-test";
import { getEndpointStatistics, listEndpointStatistics } from "@/server/webhooks/endpoints/statistics";
import { updateWebhookEndpoint } from "@/server/webhooks/endpoints/update";
import { fromCommand, fromQuery, fromTagged, fromTaggedCommand, router } from "../trpc";

export const webhooksRouter = router({
  queue: fromQuery(getWebhookQueue),
  endpoints: router({
    list: fromQuery(listWebhookEndpoints),
    get: fromTagged(getWebhookEndpoint),
    statistics: fromQuery(getEndpointStatistics),
    statisticsOfAll: fromQuery(listEndpointStatistics),
    deliveries: fromQuery(listEndpointDeliveries),
    create: fromCommand(createWebhookEndpoint),
    update: fromTaggedCommand(updateWebhookEndpoint),
    pause: fromCommand(pauseWebhookEndpoint),
    enable: fromCommand(enableWebhookEndpoint),
    disable: fromCommand(disableWebhookEndpoint),
    rotateSecret: fromCommand(rotateWebhookSecret),
    retireSecret: fromCommand(retireWebhookSecret),
    test: fromCommand(sendWebhookTest),
    recover: fromCommand(recoverWebhookEndpoint),
    replayMissing: fromCommand(replayMissingEvents),
    delete: fromCommand(deleteWebhookEndpoint),
  }),
  deliveries: router({
    list: fromQuery(listWebhookDeliveries),
    get: fromQuery(getWebhookDelivery),
    attempts: fromQuery(listWebhookAttempts),
    resend: fromCommand(resendWebhookDelivery),
    resendMany: fromCommand(resendWebhookDeliveries),
  }),
});
