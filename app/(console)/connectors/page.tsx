import type { Metadata } from "next";
import { ConnectorList } from "./connector-list";

export const metadata: Metadata = { title: "Connectors" };

export default function ConnectorsPage() {
  return <ConnectorList />;
}
