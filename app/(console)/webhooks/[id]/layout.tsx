import type { Metadata } from "next";
import type { ReactNode } from "react";
import { EndpointFrame } from "./endpoint-frame";

export const metadata: Metadata = { title: "Webhook endpoint" };

export default async function EndpointLayout({
  children,
  params,
}: {
  children: ReactNode;
  params: Promise<{ id: string }>;
}) {
  return <EndpointFrame id={(await params).id}>{children}</EndpointFrame>;
}
