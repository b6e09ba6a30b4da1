import { createWebhookEndpoint } from "@/server/webhooks/create";
import { deleteWebhookEndpoint } from "@/server/webhooks/delete";
import { disableWebhookEndpoint } from "@/server/webhooks/disable";
import { enableWebhookEndpoint } from "@/server/webhooks/enable";
import { getWebhookEndpoint } from "@/server/webhooks/get";
import { getWebhookDelivery } from "@/server/webhooks/get-delivery";
import { listWebhookEndpoints } from "@/server/webhooks/list";
import { listWebhookAttempts } from "@/server/webhooks/list-attempts";
import { listEndpointDeliveries, listWebhookDeliveries } from "@/server/webhooks/list-deliveries";
import { pauseWebhookEndpoint } from "@/server/webhooks/pause";
import { getWebhookQueue } from "@/server/webhooks/queue";
import { recoverWebhookEndpoint } from "@/server/webhooks/recover";
import { replayMissingEvents } from "@/server/webhooks/replay-missing";
import { resendWebhookDeliveries, resendWebhookDelivery } from "@/server/webhooks/resend";
import { retireWebhookSecret } from "@/server/webhooks/retire-secret";
import { rotateWebhookSecret } from "@/server/webhooks/rotate-secret";
import { sendWebhookTest } from "@/server/webhooks/send-test";
import { getEndpointStatistics, listEndpointStatistics } from "@/server/webhooks/statistics";
import { updateWebhookEndpoint } from "@/server/webhooks/update";
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
