import { escapeHtml } from "@/server/core/html";
import type { Language } from "@/server/core/languages";
import { publicId } from "@/server/core/ids";
import { maskUrl } from "@/server/webhooks/endpoints/mask-url";
import { formatMoment, type Region } from "@/server/core/dates";
import type { EndpointFacts } from "./endpoint-notices";
import type { PolicyFacts, PolicyFailureFacts } from "./policy-notices";
import type { ConnectorFailureFacts, KeyFacts, RunFacts, StagedFacts } from "./run-notices";

type EndpointKind = "endpoint_failing" | "endpoint_last_warning" | "endpoint_disabled";

/** The content of a letter, and the organisation of its recipients. */
export type Notice = { organisation: string; region: Region } & (
  | { kind: EndpointKind; facts: EndpointFacts }
  | { kind: "connector_run_held"; facts: RunFacts }
  | { kind: "connector_key_changed"; facts: KeyFacts }
  | { kind: "connector_failed"; facts: ConnectorFailureFacts }
  | { kind: "policy_halted"; facts: PolicyFacts }
  | { kind: "policy_failed"; facts: PolicyFailureFacts }
  | { kind: "scim_removals_held"; facts: StagedFacts }
);

export interface Letter {
  subject: string;
  text: string;
  html: string;
}

interface Content {
  subject: string;
  heading: string;
  rows: (readonly [string, string])[];
  paragraphs: string[];
  /** The path of the console page that the letter links to. */
  path: string;
}

/** Writes an instant in the organisation's time zone. */
type WriteTime = (at: string | null) => string;

/** The path of the console page that a notice is about. */
export const pathOf = (notice: Notice): string => contentOf(notice).path;

/** Writes a notice in plain text and in HTML that loads nothing. @param publicUrl without a trailing slash */
export function letterOf(notice: Notice, publicUrl: string): Letter {
  const { subject, heading, rows: own, paragraphs, path } = contentOf(notice);
  const rows = [["Organisation", notice.organisation] as const, ...own];
  const link = `${publicUrl}${path}`;
  const close = "You receive this as an owner or admin of the organisation.";
  return {
    subject,
    text:
      [`${heading}.`, rows.map(([label, value]) => `${label}: ${value}`).join("\n"), ...paragraphs, link, close].join(
        "\n\n",
      ) + "\n",
    html: letterPage(
      `<h1 style="font-size:18px">${escapeHtml(heading)}</h1>`,
      `<table cellpadding="4">${rows.map(([label, value]) => `<tr><th align="left">${label}</th><td>${escapeHtml(value)}</td></tr>`).join("")}</table>`,
      ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
      `<p><a href="${escapeHtml(link)}">Open it in the console</a></p>`,
      `<p style="color:#666">${close}</p>`,
    ),
  };
}

function contentOf(notice: Notice): Content {
  if (notice.kind === "connector_run_held") return heldRun(notice.facts);
  if (notice.kind === "connector_key_changed") return changedKey(notice.facts);
  if (notice.kind === "connector_failed") return failedConnector(notice.facts);
  if (notice.kind === "policy_halted") return haltedPolicy(notice.facts);
  if (notice.kind === "policy_failed") return failedPolicy(notice.facts);
  if (notice.kind === "scim_removals_held") return stagedRemovals(notice.facts);
  const { facts, region } = notice;
  const url = maskUrl(facts.url);
  const name = oneLine(facts.description) || url;
  const { title, paragraphs } = wordsOf[notice.kind](facts, (at) => (at ? formatMoment(at, region) : "an unknown day"));
  return {
    subject: `${name} ${title}`,
    heading: `The webhook endpoint ${name} ${title}`,
    rows: [
      ["Endpoint", name],
      ["URL", url],
    ],
    paragraphs,
    path: `/webhooks/${publicId("whe", facts.endpointId)}`,
  };
}

function heldRun({ connectorId, runId, connector, held, memberships = 0, reason }: RunFacts): Content {
  const name = oneLine(connector);
  const path = `/connectors/${publicId("con", connectorId)}/runs/${publicId("run", runId)}`;
  if (held === 0)
    return {
      subject: `${name}: a file waits for an approval`,
      heading: `A file of the connector ${name} waits for an approval`,
      rows: [["Connector", name]],
      paragraphs: [
        reason,
        "Nothing of the file was applied. An owner or admin can approve it. If the file is wrong, cancel the run and upload the right one.",
      ],
      path,
    };
  const people = held === 1 ? "1 person" : `${held.toLocaleString("en")} people`;
  const removals = held === 1 ? "1 removal" : `${held.toLocaleString("en")} removals`;
  const isMixed = memberships > 0;
  return {
    subject: isMixed ? `${name}: ${removals} wait for an approval` : `${name}: ${people} would be deactivated`,
    heading: isMixed
      ? `A file of the connector ${name} would remove people, or take them out of groups`
      : `A file of the connector ${name} would deactivate ${people}`,
    rows: [
      ["Connector", name],
      [isMixed ? "Removals" : "People", held.toLocaleString("en")],
    ],
    paragraphs: [
      reason,
      isMixed
        ? "Everything else in the file was applied. Nobody is deactivated, and nobody leaves a group that policies use, until an owner or admin has looked at the names and approves. If the file is wrong, cancel the run and upload the right one."
        : "Everything else in the file was applied. Nobody is deactivated until an owner or admin has looked at the names and approves. If the file is wrong, cancel the run and upload the right one.",
    ],
    path,
  };
}

function changedKey({ connectorId, runId, connector, reason }: KeyFacts): Content {
  const name = oneLine(connector);
  return {
    subject: `${name}: the SFTP server has another key`,
    heading: `The SFTP server of the connector ${name} has another key than the one that was approved`,
    rows: [["Connector", name]],
    paragraphs: [
      reason,
      "No file is fetched until somebody edits the connector and approves the new key, or the server shows the old one again.",
    ],
    path: `/connectors/${publicId("con", connectorId)}/runs/${publicId("run", runId)}`,
  };
}

function failedConnector({ connectorId, runId, connector, reason, rejected }: ConnectorFailureFacts): Content {
  const name = oneLine(connector);
  return {
    subject: reason ? `${name}: the run failed` : `${name}: all rows were rejected`,
    heading: reason ? `A run of the connector ${name} failed` : `A run of the connector ${name} rejected every row`,
    rows: [["Connector", name], ...(reason ? [] : [["Rejected rows", rejected.toLocaleString("en")] as const])],
    paragraphs: [
      reason ?? "No row of the file could be used. Correct the mapping, or the export, and send the file again.",
      "People stay as they were after the last good run. You get no further e-mail about this connector until a run ends well.",
    ],
    path: `/connectors/${publicId("con", connectorId)}/runs/${publicId("run", runId)}`,
  };
}

function haltedPolicy({ policyId, policy, affected, message, causes }: PolicyFacts): Content {
  const name = oneLine(policy);
  const credentials = affected === 1 ? "1 credential" : `${affected.toLocaleString("en")} credentials`;
  // During the days of grace nothing would be ended yet.
  const [subject, heading] =
    affected === 0
      ? [
          "nobody matches the rule any more",
          `Nobody matches the rule of the policy ${name} any more, so it changed nothing`,
        ]
      : [`${credentials} would be ended`, `The policy ${name} would end ${credentials} and changed nothing`];
  return {
    subject: `${name}: ${subject}`,
    heading,
    rows: [
      ["Policy", name],
      ["Credentials", affected.toLocaleString("en")],
    ],
    paragraphs: [
      message,
      ...(causes.length > 0 ? [`What may be the cause: ${causes.map(oneLine).join(" ")}`] : []),
      "Nobody got or lost a credential. If your data is wrong, correct it: the next run looks at everybody anew. If it is right, look at the names and approve the run within 24 hours.",
    ],
    path: `/policies/${publicId("pol", policyId)}`,
  };
}

function failedPolicy({ policyId, runId, policy, reason }: PolicyFailureFacts): Content {
  const name = oneLine(policy);
  return {
    subject: `${name}: the policy failed`,
    heading: `A run of the policy ${name} failed`,
    rows: [["Policy", name]],
    paragraphs: [
      reason,
      "People who came or left since its last good run may not have got or lost their credential. You get no further e-mail about this policy until a run ends well.",
    ],
    path: `/policies/${publicId("pol", policyId)}/runs/${publicId("plr", runId)}`,
  };
}

function stagedRemovals({ connectorId, connector, people }: StagedFacts): Content {
  const name = oneLine(connector);
  const whom = people === 1 ? "1 person" : `${people.toLocaleString("en")} people`;
  return {
    subject: `${name}: ${whom} would be removed`,
    heading: `The directory ${name} wants to remove ${whom}`,
    rows: [
      ["Connector", name],
      ["People", people.toLocaleString("en")],
    ],
    paragraphs: [
      "It deactivated them or took them out of groups that policies use: more than the connector may remove within 24 hours, and more may follow. The directory was told that it is done; here nobody is removed until an owner or admin has looked at the names and approves.",
      "If it is a mistake, correct it in the directory: whom it adds again is no longer held. Then discard what is left.",
    ],
    path: `/connectors/${publicId("con", connectorId)}`,
  };
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

const wordsOf: Record<
  EndpointKind,
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

export const letterPage = (...parts: string[]) => letterPageIn("en", ...parts);

export const letterPageIn = (language: Language, ...parts: string[]) =>
  `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;font-size:15px;line-height:1.5">${parts.join("\n")}</body></html>`;
