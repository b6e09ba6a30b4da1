import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Table, Term } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Idempotency" };

export default function Idempotency() {
  return (
    <Guide
      title="Idempotency"
      lead="If the answer to a request was lost, send the request again: its effect happens only once."
    >
      <p>
        Send an <Term>Idempotency-Key</Term> with every POST, PATCH, PUT and DELETE that changes something: a value that
        identifies what you want to do, such as an enrolment’s id, or a random UUID that you store before you send. The
        effect and the answer are stored together, so a process that is killed at any moment leaves both or neither.
      </p>
      <Code title="POST /v1/credentials, a second time" code={samples.again} />
      <Heading id="repeats">What a repeat gets</Heading>
      <Table
        label="What a repeat gets"
        head={["The repeat", "The answer"]}
        rows={[
          [
            "The same request",
            <>
              The stored answer, with <Term>Idempotent-Replayed: true</Term>
            </>,
          ],
          [
            "While the first is still running",
            <>
              409 <Term>idempotency_in_progress</Term> with <Term>Retry-After</Term>: wait and send it again
            </>,
          ],
          [
            "Another body, path or method",
            <>
              422 <Term>idempotency_key_reused</Term>: use a new key for a new request
            </>,
          ],
          [
            "After a refusal (4xx) or a failure (5xx)",
            "It is evaluated anew, because a refusal had no effect. Only a 410 is stored",
          ],
          ["After 24 hours", "It is a new request"],
        ]}
      />
      <Heading id="keys">Keys</Heading>
      <p>
        1 to 255 printable ASCII characters. Each organisation has its own keys: the same key of another organisation is
        another key. A stored answer is given only to a token that has the scopes which the first request needed.
      </p>
      <Heading id="without">Without a key</Heading>
      <ul>
        <li>
          <Term>PUT /v1/subjects</Term> needs none: the same payload gives the same person, and sending it again writes
          nothing.
        </li>
        <li>
          Suspend, resume and revoke set a state. Revoking a revoked credential changes nothing and keeps the first
          reason.
        </li>
        <li>
          <Term>POST /v1/verify</Term> ignores the header, because a verification has to be current.
        </li>
      </ul>
      <Heading id="overwriting">Changes based on an older state</Heading>
      <p>
        Without a check, your change can overwrite one that somebody else made meanwhile. Answers have an{" "}
        <Term>ETag</Term>. Send it back in <Term>If-Match</Term>: if the resource has changed since, the answer is 412{" "}
        <Term>precondition_failed</Term> and nothing is done.
      </p>
      <Code title="PATCH /v1/credentials/{id} with If-Match" code={samples.condition} />
    </Guide>
  );
}
