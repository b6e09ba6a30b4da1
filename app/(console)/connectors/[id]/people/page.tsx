import type { Metadata } from "next";
import { DirectoryFrame } from "../directory/directory-frame";
import { DirectoryPeople } from "./people";

export const metadata: Metadata = { title: "People of a directory" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <DirectoryFrame id={(await params).id}>
      <DirectoryPeople id={(await params).id} />
    </DirectoryFrame>
  );
}
