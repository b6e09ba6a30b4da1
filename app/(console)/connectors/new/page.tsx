import type { Metadata } from "next";
import { NewConnector } from "./new-connector";

export const metadata: Metadata = { title: "New connector" };

export default function NewConnectorPage() {
  return <NewConnector />;
}
