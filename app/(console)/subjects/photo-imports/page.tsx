import type { Metadata } from "next";
import { ImportList } from "./import-list";

export const metadata: Metadata = { title: "Photos from archives" };

export default function PhotoImportsPage() {
  return <ImportList />;
}
