import type { Metadata } from "next";
import { Credential } from "./credential";

export const metadata: Metadata = { title: "Credential" };

export default async function CredentialPage({ params }: { params: Promise<{ id: string }> }) {
  return <Credential id={(await params).id} />;
}
