import { useEffect, useRef, useState } from "react";
import { localeIn } from "@/server/core/languages";
import { askService, whyWords } from "./ask-service";
import { CodeForm } from "./code-form";
import { CodeScanner } from "./code-scanner";
import { isOfDocument } from "./decision-words";
import { DocumentForm } from "./document-form";
import { pastMoment, readersZone } from "./past-moment";
import { nameOf, wordOf } from "./read-words";
import { ScanResult } from "./scan-result";
import type { Read, Source } from "./read";
import { useReads } from "./use-reads";
import { VerifyAnswer, type VerifyOutcome } from "@/components/public/verify-answer";
import { Notice } from "@/components/ui/notice";
import { language, say } from "./words";

interface Props {
  /** The answer to the typed text; null without one. */
  answer: VerifyOutcome | null;
  typed: string;
  ownHosts: string[];
}

/** The tool to check one credential after the other. An answer is shown until the next read begins, and no longer. */
export function VerifyTool({ answer, typed, ownHosts }: Props) {
  const [served, setServed] = useState(answer);
  const { reads, take, retry, askAnew } = useReads(ownHosts);
  const [isScanning, setScanning] = useState(false);
  /** The id of the newest read when the present turn began; null before the first turn. */
  const [turnAfter, setTurnAfter] = useState<number | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const newest = reads[0];
  const current = turnAfter !== null && newest && newest.id > turnAfter ? newest : undefined;
  const shown = turnAfter === null ? served : null;

  function begin() {
    setTurnAfter(newest?.id ?? 0);
    // Neither a reload nor Back may show the earlier answer under this address.
    if (window.location.search !== "") window.history.replaceState(null, "", "/verify");
  }

  /** Refreshes the answer that came with the page. Rejects with the reason in words. */
  async function askServed() {
    if (served?.kind !== "decision") return;
    const { code } = served.verification.credential;
    const newer = await askService(isOfDocument(served.verification) ? { credential: typed } : { code });
    if (newer.kind === "unanswered") throw new Error(whyWords[newer.why]);
    setServed(newer);
  }

  /** Sent by script: without a connection, a submitted form would replace the page with the browser's error. */
  function check(handed: string | File, source: Source) {
    begin();
    take(handed, source);
    place.current?.focus();
    window.scrollTo({ top: 0 });
  }

  // A decision on the typed text empties the field. A text without a decision stays, so that it can be tried again.
  const isDecided = current?.source === "typed" && current.outcome.kind === "decision";
  const submitted = useRef("");
  useEffect(() => {
    if (isDecided && field.current?.value === submitted.current) field.current.value = "";
  }, [isDecided, current?.id]);

  useEffect(() => {
    if (turnAfter !== null) document.title = `${current ? wordOf(current) : say("Check a credential")} · Bonafide`;
  }, [turnAfter, current]);

  const result = current && (
    <>
      <ScanResult read={current} isBrief={isScanning} retry={retry} askAnew={askAnew} />
      {current.note && <Notice title={say(current.note)} />}
    </>
  );
  const hasAnswer = shown !== null || current !== undefined;
  const list = reads.length > 1 || (reads.length === 1 && !current) ? reads : [];
  return (
    <div className="mx-auto max-w-2xl space-y-8">
      <div ref={place} tabIndex={-1} className="space-y-4 outline-none empty:hidden">
        {!isScanning && (result ?? (shown ? <VerifyAnswer answer={shown} askAnew={askServed} /> : <Invitation />))}
        {!isScanning && current?.isPlainPicture && current.outcome.kind === "decision" && (
          <Notice tone="warning">
            {say(
              "There is no QR code to be seen in this picture either. Take one that shows all of it, sharp and straight.",
            )}
          </Notice>
        )}
      </div>
      <section
        aria-label={say(hasAnswer ? "Check another" : "Check")}
        className="no-print rounded-2xl border bg-surface p-5 shadow-surface sm:p-6"
      >
        {/* Hidden instead of removed while the camera is on, so that the typed text stays. */}
        <div hidden={isScanning}>
          {hasAnswer && <h2 className="mb-4 text-base font-semibold">{say("Check another")}</h2>}
          <CodeForm
            field={field}
            typed={answer && answer.kind !== "decision" ? typed : ""}
            take={(text) => {
              submitted.current = text;
              check(text, "typed");
            }}
          />
        </div>
        <CodeScanner
          take={(text) => take(text, "scanned")}
          choose={(file) => check(file, "file")}
          onStart={begin}
          onScanning={setScanning}
        >
          {result}
        </CodeScanner>
      </section>
      {!isScanning && <DocumentForm check={(text) => check(text, "pasted")} />}
      {list.length > 0 && <LastReads reads={list} />}
    </div>
  );
}

function Invitation() {
  return (
    <div>
      <h1 className="text-2xl font-semibold tracking-[-0.02em] text-balance sm:text-3xl">
        {say("Check a credential")}
      </h1>
      <p className="mt-2 text-base text-pretty text-muted">
        {say(
          "Type the code that stands on it, paste its link, scan its QR code, or choose the picture or file of a badge. You see at once whether it is valid.",
        )}
      </p>
    </div>
  );
}

function LastReads({ reads }: { reads: Read[] }) {
  // In the time format of the answer above.
  const locale =
    reads.map(({ outcome }) => outcome).find((outcome) => outcome.kind === "decision")?.verification.credential.issuer
      .locale ?? localeIn(language(), "en-GB");
  return (
    <section aria-labelledby="last-reads" className="no-print">
      <h2 id="last-reads" className="text-[0.8125rem] font-semibold">
        {say("Last checked on this device")}
      </h2>
      <ol className="mt-2 divide-y divide-separator text-[0.8125rem]">
        {reads.map((read) => (
          <li key={read.id} className="flex items-baseline gap-3 py-1.5">
            <time className="shrink-0 text-muted tabular-nums" dateTime={read.at.toISOString()}>
              {pastMoment(read.at, new Date(), { locale, timeZone: readersZone() })}
            </time>
            {/* Side by side if there is room; the name is below a long decision. */}
            <span className="flex min-w-0 flex-wrap gap-x-3">
              <span className="font-medium">{wordOf(read)}</span>
              <span className="min-w-0 text-muted wrap-anywhere">
                <bdi>{nameOf(read)}</bdi>
              </span>
            </span>
          </li>
        ))}
      </ol>
      <p className="mt-1 text-xs text-muted">{say("Only in this tab: nothing is left when you close it.")}</p>
    </section>
  );
}
