import type { Metadata } from "next";
import { ClaimLinkList } from "./claim-link-list";

export const metadata: Metadata = { title: "Claim links" };

export default function ClaimLinksPage() {
  return <ClaimLinkList />;
}
