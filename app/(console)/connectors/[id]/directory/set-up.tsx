"use client";
import { useSyncExternalStore, type ReactNode } from "react";
import { Copyable } from "@/components/ui/copy";
import { Fact, Facts } from "@/components/ui/facts";
import { Panel } from "@/components/ui/panel";
import { providers, type Provider } from "../../providers";
import type { Connector } from "../../words";

const noChanges = () => () => undefined;

/** Instructions for the set-up in the directory, step by step. */
export function SetUp({ connector }: { connector: Connector }) {
  const { inSentence, before, where, urlLabel, tokenLabel, choose, mapping, keepOn, advice } =
    providers[(connector.settings["provider"] as Provider | undefined) ?? "other"];
  const origin = useSyncExternalStore(
    noChanges,
    () => window.location.origin,
    () => "",
  );
  return (
    <Panel title={`Set up ${inSentence}`}>
      <ol className="space-y-6">
        <Step n={1} title="Enter the address and a token" description={where}>
          <Points points={before} />
          <Facts>
            <Fact name={urlLabel}>
              <Copyable text={`${origin}/scim/v2`} what="base URL" />
            </Fact>
            <Fact name={tokenLabel}>A token that you make above under Tokens</Fact>
          </Facts>
          <Points points={choose} />
        </Step>
        <Step
          n={2}
          title="Map these attributes"
          description="You can map others too. They are kept, and SCIM shows them."
        >
          <Mapping inSentence={inSentence} mapping={mapping} />
        </Step>
        <Step n={3} title="Leave this switched on">
          <Points points={keepOn} />
        </Step>
        <Step n={4} title="Good to know">
          <Points points={advice} />
        </Step>
      </ol>
    </Panel>
  );
}

function Step({
  n,
  title,
  description,
  children,
}: {
  n: number;
  title: string;
  description?: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className="flex size-6 shrink-0 items-center justify-center rounded-full bg-default text-xs font-medium"
      >
        {n}
      </span>
      <div className="min-w-0 flex-1 space-y-2">
        <div>
          <h3 className="text-[0.8125rem] leading-6 font-medium">{title}</h3>
          {description && <p className="text-[0.8125rem] text-muted wrap-anywhere">{description}</p>}
        </div>
        {children}
      </div>
    </li>
  );
}

function Points({ points }: { points: readonly string[] }) {
  if (points.length === 0) return null;
  return (
    <ul className="list-disc space-y-1 ps-5 text-[0.8125rem] text-muted">
      {points.map((point) => (
        <li key={point}>{point}</li>
      ))}
    </ul>
  );
}

/** A table of the directory's attributes and the SCIM attributes to map them to. */
function Mapping({
  inSentence,
  mapping,
}: {
  inSentence: string;
  mapping: readonly (readonly [from: string, to: string])[];
}) {
  return (
    <table className="w-full table-fixed text-[0.8125rem]">
      <thead className="text-left text-xs text-muted">
        <tr>
          <th scope="col" className="py-1 pe-3 font-normal">
            In {inSentence}
          </th>
          <th scope="col" className="py-1 font-normal">
            In SCIM
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-separator">
        {mapping.map(([from, to]) => (
          <tr key={to}>
            <td className="py-1.5 pe-3 align-top wrap-anywhere">{from}</td>
            <td className="py-1.5 align-top">
              <code className="font-mono text-xs wrap-anywhere">{to}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
