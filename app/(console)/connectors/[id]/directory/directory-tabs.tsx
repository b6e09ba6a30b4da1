import { LinkTabs } from "@/components/ui/link-tabs";

/** The pages of a SCIM connection. */
export function DirectoryTabs({ id }: { id: string }) {
  return (
    <LinkTabs
      label="Directory"
      tabs={[
        { href: `/connectors/${id}`, label: "Set-up" },
        { href: `/connectors/${id}/people`, label: "People and groups" },
        { href: `/connectors/${id}/requests`, label: "Requests" },
        { href: `/connectors/${id}/differences`, label: "Differences" },
      ]}
    />
  );
}
