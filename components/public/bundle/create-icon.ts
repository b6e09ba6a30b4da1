import { createElement, memo, type NamedExoticComponent } from "react";

type Node = [tag: string, attributes: Record<string, string | number>];

interface Props extends Record<string, unknown> {
  strokeWidth?: number;
}

/**
 * Creates an icon of lucide-react from its drawing. The build of the public pages replaces the package's own function,
 * whose code is larger than all icons of a page.
 */
export default function createIcon({ node }: { node: Node[] }): NamedExoticComponent<Props> {
  const drawing = node.map(([tag, { key: _, ...attributes }]) => `<${tag}${written(attributes)}/>`).join("");
  const inner = { __html: drawing };
  return memo(({ strokeWidth = 2, ...rest }: Props) =>
    createElement("svg", {
      viewBox: "0 0 24 24",
      width: 24,
      height: 24,
      fill: "none",
      stroke: "currentColor",
      strokeLinecap: "round",
      strokeLinejoin: "round",
      strokeWidth,
      "aria-hidden": "true",
      ...rest,
      dangerouslySetInnerHTML: inner,
    }),
  );
}

const written = (attributes: Node[1]) =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join("");
