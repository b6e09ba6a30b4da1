import type { Metadata } from "next";
import { PhotoQueue } from "./photo-queue";

export const metadata: Metadata = { title: "Photos to approve" };

export default function PhotosPage() {
  return <PhotoQueue />;
}
