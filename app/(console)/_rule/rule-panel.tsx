"use client";
import { Json } from "@/components/ui/json";
import { Panel } from "@/components/ui/panel";
import { RuleView } from "./rule-view";

/** Shows a saved rule in words and as the API returns it. */
export function RulePanel({ rule, description }: { rule: Record<string, unknown>; description: string }) {
  return (
    <Panel title="Who matches" description={description}>
      <RuleView rule={rule} />
      <details className="mt-4">
        <summary className="cursor-pointer text-xs text-muted">As JSON</summary>
        <Json value={rule} what="rule" className="mt-2" />
      </details>
    </Panel>
  );
}
