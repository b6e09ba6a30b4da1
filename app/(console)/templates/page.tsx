import type { Metadata } from "next";
import { TemplateGallery } from "./template-gallery";

export const metadata: Metadata = { title: "Templates" };

export default function TemplatesPage() {
  return <TemplateGallery />;
}
