import type { Metadata } from "next";
import { DeliveryList } from "../../_parts/delivery-list";

export const metadata: Metadata = { title: "Webhook deliveries" };

export default function DeliveriesPage() {
  return <DeliveryList />;
}
