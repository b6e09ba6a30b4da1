import type { Metadata } from "next";
import { NewDirectory } from "./new-directory";

export const metadata: Metadata = { title: "Connect a directory" };

export default function NewDirectoryPage() {
  return <NewDirectory />;
}
