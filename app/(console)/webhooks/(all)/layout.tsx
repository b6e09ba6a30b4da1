import type { ReactNode } from "react";
import { WebhooksFrame } from "./webhooks-frame";

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return <WebhooksFrame>{children}</WebhooksFrame>;
}
