"use client";
import { useEffect, useRef, useState } from "react";
import { CodeForm } from "@/components/public/code-form";
import { CodeScanner } from "@/components/public/code-scanner";
import { decisionLook } from "@/components/public/decision-looks";
import { DocumentForm } from "@/components/public/document-form";
import { DocumentResult } from "@/components/public/document-result";
import { useDocument, type Handed } from "@/components/public/use-document";
import { ScanResult, wordOf } from "@/components/public/scan-result";
import { useReads, type Read } from "@/components/public/use-reads";
import { VerifyAnswer, type Answer } from "@/components/public/verify-answer";

interface Props {
  /** To what was typed; null where nothing was. */
  answer: Answer | null;
  typed: string;
  ownHosts: string[];
}

/** Where somebody checks one credential after the other. An answer stands until the next read begins, and no longer. */
export function VerifyDesk({ answer, typed, ownHosts }: Props) {
  const { reads, take, retry, askAnew } = useReads(ownHosts);
  const handed = useDocument();
  const [isScanning, setScanning] = useState(false);
  /** The id of the newest read when the present turn began; null before the first turn. */
  const [turnAfter, setTurnAfter] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const newest = reads[0];
  const current = turnAfter !== null && newest && newest.id > turnAfter ? newest : undefined;
  const shown = turnAfter === null ? answer : null;

  function begin() {
    handed.clear();
    setTurnAfter(newest?.id ?? 0);
    // Neither a reload nor Back may bring the answer before under this address.
    if (window.location.search !== "") window.history.replaceState(null, "", "/verify");
  }

  /** Asked from this page: without a connection, a submitted form would leave it for the browser's own error. */
  function checkTyped(text: string) {
    begin();
    take(text, true);
    place.current?.focus();
    window.scrollTo({ top: 0 });
  }

  function checkDocument(document: Handed) {
    begin();
    void handed.check(document);
    window.scrollTo({ top: 0 });
  }

  const documentWord = handed.read?.kind === "decision" ? decisionLook(handed.read.verification).word : undefined;
  useEffect(() => {
    if (turnAfter !== null)
      document.title = `${documentWord ?? (current ? wordOf(current) : "Check a credential")} · Bonafide`;
  }, [turnAfter, current, documentWord]);

  const documentResult = handed.read && <DocumentResult read={handed.read} askAnew={handed.askAnew} />;
  const result = current && <ScanResult read={current} isBrief={isScanning} retry={retry} askAnew={askAnew} />;
  const hasAnswer = shown !== null || current !== undefined || handed.read !== null;
  return (
    <div className="mx-auto max-w-2xl space-y-8">
      <div ref={place} tabIndex={-1} className="outline-none empty:hidden">
        {!isScanning && (documentResult ?? result ?? (shown ? <VerifyAnswer answer={shown} /> : <Invitation />))}
      </div>
      <section
        aria-label={hasAnswer ? "Check another" : "Check"}
        className="no-print rounded-2xl border bg-surface p-5 shadow-surface sm:p-6"
      >
        {!isScanning && (
          <>
            {hasAnswer && <h2 className="mb-4 text-base font-semibold">Check another</h2>}
            {/* Made anew, and so emptied, by each decision: what came to none stays to be tried again. */}
            <CodeForm
              key={reads.find(({ outcome }) => outcome.kind === "decision")?.id ?? typed}
              typed={shown && shown.kind !== "decision" ? typed : ""}
              take={checkTyped}
            />
          </>
        )}
        <CodeScanner take={take} onStart={begin} onScanning={setScanning}>
          {result}
        </CodeScanner>
      </section>
      {!isScanning && <DocumentForm check={checkDocument} />}
      {reads.length > 1 && <LastReads reads={reads} />}
    </div>
  );
}

function Invitation() {
  return (
    <div>
      <h1 className="text-2xl font-semibold tracking-[-0.02em] text-balance sm:text-3xl">Check a credential</h1>
      <p className="mt-2 text-base text-pretty text-muted">
        Type the code that stands on it, paste its link, or scan its QR code. You see at once whether it is valid.
      </p>
    </div>
  );
}

function LastReads({ reads }: { reads: Read[] }) {
  return (
    <section aria-labelledby="last-reads" className="no-print">
      <h2 id="last-reads" className="text-[0.8125rem] font-semibold">
        Last checked on this device
      </h2>
      <ol className="mt-2 divide-y divide-separator text-[0.8125rem]">
        {reads.map((read) => (
          <li key={read.id} className="flex items-baseline gap-3 py-1.5">
            <time className="shrink-0 text-muted tabular-nums" dateTime={read.at.toISOString()}>
              {read.at.toLocaleTimeString()}
            </time>
            <span className="shrink-0 font-medium">{wordOf(read)}</span>
            <span className="min-w-0 text-muted wrap-anywhere">
              <bdi>{nameOf(read)}</bdi>
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-xs text-muted">Only in this page: nothing is left when you close or reload it.</p>
    </section>
  );
}

function nameOf({ outcome }: Read): string {
  if (outcome.kind === "foreign") return outcome.host;
  if (outcome.kind !== "decision") return "";
  const { subject, title } = outcome.verification.credential;
  return subject.displayName ? `${subject.displayName}, ${title}` : title;
}
