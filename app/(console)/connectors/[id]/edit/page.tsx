import type { Metadata } from "next";
import { EditConnector } from "./edit-connector";

export const metadata: Metadata = { title: "Edit connector" };

export default async function EditConnectorPage({ params }: { params: Promise<{ id: string }> }) {
  return <EditConnector id={(await params).id} />;
}
