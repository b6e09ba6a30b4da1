import type { Metadata } from "next";
import { PhotoImport } from "./photo-import";

export const metadata: Metadata = { title: "Photos from an archive" };

export default async function PhotoImportPage({ params }: { params: Promise<{ id: string }> }) {
  return <PhotoImport id={(await params).id} />;
}
