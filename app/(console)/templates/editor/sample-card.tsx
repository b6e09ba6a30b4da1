"use client";
import { CredentialCard } from "@/components/credential-card";
import type { BindingSource } from "@/server/templates/binding";
import type { Design } from "@/server/templates/design";
import { shownFields } from "@/server/templates/fields";
import type { TemplateKind } from "@/server/templates/view";
import { useSession } from "../../_shell/session";
import { sampleSource } from "./sample";

interface Props {
  kind: TemplateKind;
  title: string;
  design: Design;
  /** Whose values it shows; somebody made up unless given. */
  source?: BindingSource;
  className?: string;
}

/** A design as its credentials will look. */
export function SampleCard({ kind, title, design, source = sampleSource(design), className }: Props) {
  const { current } = useSession();
  return <CredentialCard kind={kind} title={title} issuer={current.name} holder={source.subject.displayName} design={design} fields={shownFields(design, source, "all", current)} region={current} className={className} />;
}
