import type { Metadata } from "next";
import { CredentialList } from "./credential-list";

export const metadata: Metadata = { title: "Credentials" };

export default function CredentialsPage() {
  return <CredentialList />;
}
