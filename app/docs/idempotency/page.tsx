import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Table, Term } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Idempotency" };

export default function Idempotency() {
  return (
    <Guide title="Idempotency" lead="A request whose answer was lost can be sent again without being done again.">
      <p>
        Send an <Term>Idempotency-Key</Term> with every POST, PATCH, PUT and DELETE that changes something: a value that
        stands for what you mean to do, such as an enrolment’s id, or a random UUID that you store before you send. The
        work and its answer are stored together, so that a process killed at any moment leaves both or neither.
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
            "It is evaluated anew: a refusal had no effect. 410 alone is stored",
          ],
          ["After 24 hours", "It is a new request"],
        ]}
      />
      <Heading id="keys">Keys</Heading>
      <p>
        1 to 255 printable ASCII characters. Keys of one organisation are apart from those of others. A stored answer is
        given only to a token that has the scopes which the first request needed.
      </p>
      <Heading id="without">Without a key</Heading>
      <ul>
        <li>
          <Term>PUT /v1/subjects</Term> needs none: the same payload gives the same person, and the second time writes
          nothing.
        </li>
        <li>
          Suspend, resume and revoke lead to a state. To revoke a revoked credential changes nothing and keeps the first
          reason.
        </li>
        <li>
          <Term>POST /v1/verify</Term> ignores the header: a verification must be of now.
        </li>
      </ul>
      <Heading id="overwriting">Changes based on an older state</Heading>
      <p>
        A second kind of accident is to overwrite what somebody else changed meanwhile. Answers carry an{" "}
        <Term>ETag</Term>. Send it back in <Term>If-Match</Term>; where it has changed since, the answer is 412{" "}
        <Term>precondition_failed</Term> and nothing is done.
      </p>
      <Code title="PATCH /v1/credentials/{id} with If-Match" code={samples.condition} />
    </Guide>
  );
}
