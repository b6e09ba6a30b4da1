import { Status } from "@/components/ui/status";
import type { DeliveryView } from "@/server/webhooks/deliveries/delivery-view";

/** A delivery's state as people say it: one that waits is queued first, and retried after. */
export function DeliveryStatus({ delivery }: { delivery: Pick<DeliveryView, "status" | "attemptCount"> }) {
  if (delivery.status === "pending") return <Status of={delivery.attemptCount > 0 ? "retrying" : "queued"} />;
  return <Status of={delivery.status} />;
}
