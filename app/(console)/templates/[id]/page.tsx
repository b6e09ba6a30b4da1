import type { Metadata } from "next";
import { Template } from "./template-detail";

export const metadata: Metadata = { title: "Template" };

export default async function TemplatePage({ params }: { params: Promise<{ id: string }> }) {
  return <Template id={(await params).id} />;
}
