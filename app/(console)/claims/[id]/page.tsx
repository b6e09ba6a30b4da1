import type { Metadata } from "next";
import { ClaimLink } from "./claim-link";

export const metadata: Metadata = { title: "Claim link" };

export default async function ClaimLinkPage({ params }: { params: Promise<{ id: string }> }) {
  return <ClaimLink id={(await params).id} />;
}
