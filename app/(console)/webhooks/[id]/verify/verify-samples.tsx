"use client";
import { Tabs } from "@heroui/react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { CodeBlock } from "@/components/ui/code-block";
import { Panel } from "@/components/ui/panel";
import { samples } from "./samples";

const languages = Object.keys(samples) as (keyof typeof samples)[];

/** Explains in four languages how a listener verifies that a delivery is ours. */
export function VerifySamples() {
  const [language, setLanguage] = useQueryState("language", parseAsStringLiteral(languages).withDefault("node"));
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Tabs
        variant="secondary"
        selectedKey={language}
        onSelectionChange={(key) => void setLanguage(key as typeof language)}
        className="min-w-0"
      >
        <Tabs.ListContainer>
          <Tabs.List aria-label="Language">
            {languages.map((each) => (
              <Tabs.Tab key={each} id={each} className="w-auto px-3 text-[0.8125rem]">
                {samples[each].name}
                <Tabs.Indicator />
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs.ListContainer>
        {languages.map((each) => (
          <Tabs.Panel key={each} id={each} className="mt-1 p-0 pt-2">
            <CodeBlock code={samples[each].code} what={`${samples[each].name} code`} className="[&_pre]:max-h-160" />
          </Tabs.Panel>
        ))}
      </Tabs>
      <Panel title="What it checks">
        <ol className="list-decimal space-y-2.5 ps-4 text-[0.8125rem] text-pretty marker:text-muted">
          <li>
            <code className="font-mono text-xs">svc-signature</code> holds a time{" "}
            <code className="font-mono text-xs">t</code> and one or, during a rotation, two signatures{" "}
            <code className="font-mono text-xs">v1</code>.
          </li>
          <li>
            A signature is the lower-case hex HMAC-SHA256 of the time, a dot and the raw body. The key is the whole
            secret, <code className="font-mono text-xs">whsec_</code> included.
          </li>
          <li>Verify the body before you parse it: written out again, JSON is another text.</li>
          <li>Compare in constant time, and refuse what is older than 300 seconds.</li>
          <li>
            The same event can come twice. Remember <code className="font-mono text-xs">svc-event-id</code>, and answer
            2xx quickly.
          </li>
        </ol>
        <p className="mt-4 border-t pt-4 text-[0.8125rem] text-pretty text-muted">
          The headers of Standard Webhooks are sent beside it, so its libraries verify our deliveries with the same
          secret.
        </p>
      </Panel>
    </div>
  );
}
