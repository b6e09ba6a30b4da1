import type { ReactNode } from "react";

interface Props {
  /** Its key in the table of the page's script (bundle/browser). */
  name: string;
  /** The properties of its component there, as JSON. */
  properties: object;
  /** The component's output before scripts run. */
  children?: ReactNode;
}

/** A part of a page that scripts hydrate (bundle/browser/islands.ts). The rest of the page is plain HTML. */
export function Island({ name, properties, children }: Props) {
  return (
    <div className="contents" data-island={name} data-properties={JSON.stringify(properties)}>
      {children}
    </div>
  );
}
