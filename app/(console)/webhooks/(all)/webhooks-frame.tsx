"use client";
import { Button } from "@heroui/react";
import { Plus } from "lucide-react";
import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import { LinkTabs } from "@/components/ui/link-tabs";
import { PageHeader } from "@/components/ui/page-header";
import { useSession } from "../../_shell/session";
import { EndpointDialog } from "../_parts/endpoint-dialog";
import { Queue } from "../_parts/queue";

const RegisterContext = createContext<ReactNode>(null);

/**
 * Returns the button that registers an endpoint; null for readers who may not. The dialog is separate from the button,
 * because the empty list with the button disappears after the first endpoint.
 */
export function useRegisterButton(): ReactNode {
  return useContext(RegisterContext);
}

const tabs = [
  { href: "/webhooks", label: "Endpoints" },
  { href: "/webhooks/deliveries", label: "Deliveries" },
];

/** The frame of the pages about all endpoints. */
export function WebhooksFrame({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const [registering, setRegistering] = useState(false);
  const register = useMemo(
    () =>
      can("webhooks:write") && (
        <Button onPress={() => setRegistering(true)}>
          <Plus aria-hidden="true" /> Register endpoint
        </Button>
      ),
    [can],
  );
  return (
    <RegisterContext value={register}>
      <PageHeader
        title="Webhooks"
        description="Every change is sent to your endpoints within milliseconds, signed, and retried for three days where it is not accepted."
        actions={register}
      />
      <Queue />
      <LinkTabs label="Webhooks" tabs={tabs} />
      {children}
      <EndpointDialog isOpen={registering} onOpenChange={setRegistering} />
    </RegisterContext>
  );
}
