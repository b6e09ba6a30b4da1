import type { Metadata } from "next";
import { EndpointList } from "./endpoint-list";

export const metadata: Metadata = { title: "Webhooks" };

export default function WebhooksPage() {
  return <EndpointList />;
}
