import type { Metadata } from "next";
import { ConnectorPage } from "./connector";

export const metadata: Metadata = { title: "Connector" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ConnectorPage id={(await params).id} />;
}
