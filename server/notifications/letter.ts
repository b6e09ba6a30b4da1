import { escapeHtml } from "@/server/core/html";
import { publicId } from "@/server/core/ids";
import { maskUrl } from "@/server/webhooks/endpoints/mask-url";
import { formatMoment, type Region } from "@/server/core/dates";
import type { EndpointFacts } from "./endpoint-notices";

/** What a letter tells, and to people of which organisation. */
export interface Notice {
  kind: "endpoint_failing" | "endpoint_last_warning" | "endpoint_disabled";
  facts: EndpointFacts;
  organisation: string;
  region: Region;
}

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

/** Writes an instant in the organisation's time zone. */
type WriteTime = (at: string | null) => string;

/**
 * What is told of an endpoint, in plain text and in HTML that loads nothing. @param publicUrl without a trailing slash
 */
export function letterOf({ kind, facts, organisation, region }: Notice, publicUrl: string): Letter {
  const url = maskUrl(facts.url);
  const name = facts.description.replace(/\s+/g, " ").trim() || url;
  const { title, paragraphs } = wordsOf[kind](facts, (at) => (at ? formatMoment(at, region) : "an unknown day"));
  const link = `${publicUrl}/webhooks/${publicId("whe", facts.endpointId)}`;
  const rows = [
    ["Organisation", organisation],
    ["Endpoint", name],
    ["URL", url],
  ] as const;
  const close = "You receive this as an owner or admin of the organisation.";
  return {
    subject: `${name} ${title}`,
    text:
      [
        `The webhook endpoint ${name} ${title}.`,
        rows.map(([label, value]) => `${label}: ${value}`).join("\n"),
        ...paragraphs,
        link,
        close,
      ].join("\n\n") + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">The webhook endpoint ${escapeHtml(name)} ${title}</h1>`,
      `<table cellpadding="4">${rows.map(([label, value]) => `<tr><th align="left">${label}</th><td>${escapeHtml(value)}</td></tr>`).join("")}</table>`,
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<p><a href="${escapeHtml(link)}">Open it in the console</a></p>`,
      `<p style="color:#666">${close}</p>`,
    ),
  };
}

const wordsOf: Record<
  Notice["kind"],
  (facts: EndpointFacts, time: WriteTime) => { title: string; paragraphs: string[] }
> = {
  endpoint_failing: (facts, time) => ({ title: "is failing", paragraphs: failing(facts, time) }),
  endpoint_last_warning: (facts, time) => ({ title: "is about to be disabled", paragraphs: failing(facts, time) }),
  endpoint_disabled: (facts, time) => ({
    title: "was disabled",
    paragraphs: [
      facts.reason === "gone"
        ? `It answered 410 Gone, so it was disabled on ${time(facts.disabledAt)}.`
        : `It kept failing for days, so it was disabled on ${time(facts.disabledAt)}.`,
      ...(facts.reason === "failing" ? lastError(facts) : []),
      "Its deliveries are parked and none is lost. When it works again, enable it and recover what it missed.",
    ],
  }),
};

function failing(facts: EndpointFacts, time: WriteTime): string[] {
  return [
    `Every delivery has failed since ${time(facts.failingSince)}. If nothing but failures follow, it will be disabled on ${time(facts.willBeDisabledAt)}, and its deliveries will be parked.`,
    ...lastError(facts),
  ];
}

const lastError = ({ lastFailureDetail }: EndpointFacts) =>
  lastFailureDetail ? [`Its last failure: ${lastFailureDetail}`] : [];

export const letterPage = (...parts: string[]) =>
  `<!doctype html><html lang="en"><body style="font-family:sans-serif;font-size:15px;line-height:1.5">${parts.join("\n")}</body></html>`;
