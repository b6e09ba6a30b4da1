"use client";
import { useRouter } from "next/navigation";
import { PageHeader } from "@/components/ui/page-header";
import { ConnectorForm } from "../_form/connector-form";

const trail = [{ label: "Connectors", href: "/connectors" }];

/** Creates a connector from a sample of its file, or from a URL. */
export function NewConnector() {
  const router = useRouter();
  return (
    <>
      <PageHeader
        trail={trail}
        title="New connector"
        description="Choose a sample of your file, or the address or server that has your people, and say where the columns go."
      />
      <ConnectorForm onDone={({ id }) => router.push(`/connectors/${id}`)} />
    </>
  );
}
