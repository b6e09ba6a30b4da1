import type { Metadata } from "next";
import { OAuthClientList } from "./oauth-client-list";

export const metadata: Metadata = { title: "OAuth clients" };

export default function OAuthClientsPage() {
  return <OAuthClientList />;
}
