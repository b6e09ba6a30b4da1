import { useEffect, useState, type ComponentType } from "react";
import { reachService } from "../../reach-service";

type Rendered = ComponentType<Props>;

interface Props {
  text: string;
  className?: string;
}

let loaded: Rendered | undefined;

/**
 * Shows Markdown on a public page as its source until the renderer is loaded, which is 35 kB and seldom needed. The
 * build replaces components/ui/markdown.tsx with this file.
 */
export function Markdown({ text, className }: Props) {
  const [Renderer, setRenderer] = useState<Rendered | undefined>(() => loaded);
  useEffect(() => {
    if (Renderer) return;
    const load = async () => {
      await reachService();
      return import("../../../ui/markdown");
    };
    void load().then(
      ({ Markdown }) => setRenderer(() => (loaded = Markdown as Rendered)),
      () => undefined,
    );
  }, [Renderer]);
  if (Renderer) return <Renderer text={text} {...(className !== undefined && { className })} />;
  return <div className={`whitespace-pre-line ${className ?? ""}`}>{text}</div>;
}
