import type { Metadata } from "next";
import { TemplateMessages } from "./template-messages";

export const metadata: Metadata = { title: "E-mails to holders" };

export default async function TemplateMessagesPage({ params }: { params: Promise<{ id: string }> }) {
  return <TemplateMessages id={(await params).id} />;
}
