import type { Metadata } from "next";
import { DirectoryFrame } from "../directory/directory-frame";
import { DirectoryRequests } from "./requests";

export const metadata: Metadata = { title: "Requests of a directory" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DirectoryFrame id={(await params).id}>
      <DirectoryRequests id={(await params).id} />
    </DirectoryFrame>
  );
}
