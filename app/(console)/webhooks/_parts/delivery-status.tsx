import { Status } from "@/components/ui/status";
import type { DeliveryView } from "@/server/webhooks/deliveries/delivery-view";

/**
 * Shows a delivery's state in words. A pending delivery is "queued" before its first attempt, and "retrying" after it.
 */
export function DeliveryStatus({ delivery }: { delivery: Pick<DeliveryView, "status" | "attemptCount"> }) {
  if (delivery.status === "pending") return <Status of={delivery.attemptCount > 0 ? "retrying" : "queued"} />;
  return <Status of={delivery.status} />;
}
