import { useEffect, useState, type ComponentType } from "react";
import { reachService } from "../../reach-service";

type Rendered = ComponentType<Props>;

interface Props {
  text: string;
  className?: string;
}

let loaded: Rendered | undefined;

/**
 * Markdown on a public page: as it was written until the renderer is there, which is 35 kB and seldom needed. The build
 * puts this in the place of components/ui/markdown.tsx.
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
