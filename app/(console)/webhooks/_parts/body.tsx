"use client";
import { ToggleButton, ToggleButtonGroup } from "@heroui/react";
import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Json } from "@/components/ui/json";

/** Shows text that may be JSON: indented for reading, or unchanged as it was sent. */
export function Body({ text, what }: { text: string; what: string }) {
  const [view, setView] = useState<"pretty" | "raw">("pretty");
  if (!looksLikeJson(text)) return <CodeBlock code={text} what={what} wrap />;
  return (
    <div>
      <ToggleButtonGroup
        aria-label={`How the ${what} is shown`}
        size="sm"
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[view]}
        onSelectionChange={(keys) => setView([...keys][0] as typeof view)}
        className="mb-2"
      >
        <ToggleButton id="pretty" className="w-auto px-3 text-xs">
          Pretty
        </ToggleButton>
        <ToggleButton id="raw" className="w-auto px-3 text-xs">
          Raw
        </ToggleButton>
      </ToggleButtonGroup>
      {view === "pretty" ? <Json value={text} what={what} /> : <CodeBlock code={text} what={what} wrap />}
    </div>
  );
}

function looksLikeJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
