import type { Metadata } from "next";
import { DirectoryFrame } from "../directory/directory-frame";
import { DirectoryDifferences } from "./differences";

export const metadata: Metadata = { title: "Differences of a directory" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DirectoryFrame id={(await params).id}>
      <DirectoryDifferences id={(await params).id} />
    </DirectoryFrame>
  );
}
