import type { Metadata } from "next";
import { IssuerSettings } from "./issuer-settings";

export const metadata: Metadata = { title: "Issuer" };

export default function IssuerPage() {
  return <IssuerSettings />;
}
