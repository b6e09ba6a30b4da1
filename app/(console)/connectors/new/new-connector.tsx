"use client";
import { useRouter } from "next/navigation";
import { PageHeader } from "@/components/ui/page-header";
import { ConnectorForm } from "../_form/connector-form";

const trail = [{ label: "Connectors", href: "/connectors" }];

/** Makes a connector from a sample of its file. */
export function NewConnector() {
  const router = useRouter();
  return (
    <>
      <PageHeader
        trail={trail}
        title="New connector"
        description="Choose a sample of your file, and say where its columns go. Its people stay in this browser."
      />
      <ConnectorForm onDone={({ id }) => router.push(`/connectors/${id}`)} />
    </>
  );
}
