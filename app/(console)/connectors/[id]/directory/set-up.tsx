"use client";
import { useSyncExternalStore } from "react";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Panel } from "@/components/ui/panel";
import { providers, type Provider } from "../../providers";
import type { Connector } from "../../words";

const noChanges = () => () => undefined;

/** What to enter in the directory. */
export function SetUp({ connector }: { connector: Connector }) {
  const { label, where, urlLabel, tokenLabel, mapping, advice } =
    providers[(connector.settings["provider"] as Provider | undefined) ?? "other"];
  const origin = useSyncExternalStore(
    noChanges,
    () => window.location.origin,
    () => "",
  );
  return (
    <Panel title={`Set up ${label}`} description={where}>
      <div className="space-y-4">
        <Facts>
          <Fact name={urlLabel}>
            <Copyable text={`${origin}/scim/v2`} what="base URL" />
          </Fact>
          <Fact name={tokenLabel}>A token from the list below</Fact>
        </Facts>
        <div>
          <p className="mb-1 text-[0.8125rem] font-medium">Attributes to map</p>
          <ul className="space-y-1 text-[0.8125rem]">
            {mapping.map(([from, to]) => (
              <li key={to} className="wrap-anywhere">
                {from} → <code className="font-mono text-xs">{to}</code>
              </li>
            ))}
          </ul>
        </div>
        <ul className="list-disc space-y-1 ps-5 text-[0.8125rem] text-muted">
          {advice.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
