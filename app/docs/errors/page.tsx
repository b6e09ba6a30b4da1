import type { Metadata } from "next";
import { errorTable, type ErrorCode } from "@/server/core/errors";
import { issueCodes } from "@/server/core/issue-codes";
import { Code } from "../_parts/code";
import { Guide, Heading, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";
import { help } from "./help";

export const metadata: Metadata = { title: "Errors" };

const example = JSON.stringify(
  {
    type: "http://localhost:3000/docs/errors#invalid_request",
    title: errorTable.invalid_request[2],
    status: 400,
    detail: "subject is required. There is one more error; see errors.",
    code: "invalid_request",
    requestId: "req_01k4b2m8y3f4g5h6j7k8m9n0p1",
    errors: [
      {
        pointer: "/colour",
        code: "unknown_field",
        message: "colour is not a known field. Known fields: subject, templateId, …",
      },
    ],
  },
  null,
  2,
);

const statuses = Object.entries(
  Object.groupBy(Object.keys(errorTable) as ErrorCode[], (code) => errorTable[code][0]),
).toSorted(([a], [b]) => Number(a) - Number(b));

/** The page that `type` of every problem document points at. */
export default function Errors() {
  return (
    <Guide
      title="Errors"
      lead="Every refusal says what is wrong and what to do, in one shape: application/problem+json (RFC 9457)."
    >
      <Code title="A request with a mistake" code={samples.refused} />
      <Code title="400, application/problem+json" code={example} />
      <p>
        Programs read <Term>code</Term>, which is one of the list below. People read <Term>detail</Term>.{" "}
        <Term>type</Term> leads to the entry on this page. <Term>requestId</Term> is also in the header{" "}
        <Term>Request-Id</Term> of every answer: keep it in your logs. New codes may be added, so handle an unknown code
        by its status.
      </p>
      <Heading id="retry">What to send again</Heading>
      <Table
        label="What to send again"
        head={["Status", "Send it again?"]}
        rows={[
          [
            "429, 503",
            <>
              Yes, after the seconds in <Term>Retry-After</Term>
            </>,
          ],
          [
            "500, or no answer",
            <>
              Yes, with the same <To href="/docs/idempotency">Idempotency-Key</To>, and after a longer pause each time
            </>,
          ],
          [
            "409",
            <>
              Only <Term>idempotency_in_progress</Term>, and <Term>conflict</Term> if detail says so. For other codes,
              read the current state first
            </>,
          ],
          ["Other 4xx", "No. The same request gets the same answer: change it"],
        ]}
      />
      <Heading id="errors">What is wrong with an input</Heading>
      <p>
        With <Term>invalid_request</Term>, <Term>errors</Term> names each part that is wrong by a JSON pointer, with a
        message for people and a <Term>code</Term> for programs. The empty pointer is the whole input. A mistake in the
        header If-Match or If-None-Match has the pointer <Term>/ifMatch</Term> or <Term>/ifNoneMatch</Term>.
      </p>
      <Table
        label="Codes of errors"
        head={["errors[].code", "What it means"]}
        rows={Object.entries(issueCodes).map(([code, meaning]) => [<Term key={code}>{code}</Term>, meaning])}
      />
      <p>
        The OAuth endpoints use the error format of RFC 6749: <Term>error</Term> and <Term>error_description</Term>.
      </p>
      {statuses.map(([status, codes]) => (
        <section key={status} aria-labelledby={`status-${status}`}>
          <Heading id={`status-${status}`}>{`Status ${status}`}</Heading>
          <dl className="divide-y rounded-lg border bg-surface">
            {codes!.map((code) => (
              <div
                key={code}
                id={code}
                className="scroll-mt-20 px-4 py-3.5 first:rounded-t-lg last:rounded-b-lg target:bg-accent/8 target:shadow-[inset_3px_0_0_var(--accent)]"
              >
                <dt className="flex flex-wrap items-baseline gap-x-3">
                  <a
                    href={`#${code}`}
                    className="plain rounded-sm font-mono text-[0.8125rem] font-semibold outline-none hover:underline focus-visible:ring-2 focus-visible:ring-focus"
                  >
                    {code}
                  </a>
                  <span className="text-[0.8125rem] text-muted">{errorTable[code][2]}</span>
                </dt>
                <dd className="mt-1 text-[0.875rem] leading-6 text-pretty">{help[code].cause}</dd>
                <dd className="mt-1 text-[0.875rem] leading-6 text-pretty">
                  <span className="font-medium">What to do:</span> {help[code].remedy}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Guide>
  );
}
