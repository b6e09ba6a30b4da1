import type { Metadata } from "next";
import { samples as verifiers } from "@/app/(console)/webhooks/[id]/verify/samples";
import { readId } from "@/server/core/ids";
import { catalogue, eventTypes } from "@/server/events/catalogue";
import { sampleEvent } from "@/server/events/samples";
import { Code, Languages } from "../_parts/code";
import { Guide, Heading, Note, Table, Term } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Webhooks" };

const example = JSON.stringify(
  {
    ...sampleEvent("credential.revoked", readId("org", "org_01k4awy1b2c3d4e5f6g7h8j9k0"), new Date(1_788_253_200_000)),
    id: "evt_01k4b2m8w1d2f3g4h5j6k7m8n9",
    sequence: 42,
    test: undefined,
  },
  null,
  2,
);

export default function Webhooks() {
  return (
    <Guide
      title="Webhooks"
      lead="Each change writes an event to a gapless log, in the same transaction. Your endpoint receives the event as a signed POST, moments after the commit."
    >
      <Heading id="endpoint">Register an endpoint</Heading>
      <p>
        Register it in the console, or with a request. <Term>eventTypes</Term> takes names and families such as{" "}
        <Term>credential.*</Term>. Only this answer contains the signing secret.
      </p>
      <Code title="POST /v1/webhook_endpoints" code={samples.endpoint} />
      <Heading id="payload">What you receive</Heading>
      <Code title="The body of credential.revoked" code={example} />
      <p>
        <Term>data.object</Term> holds the facts at the time of the event, and <Term>data.previous</Term> the former
        values of the changed fields. Attributes, photos and private notes are never in an event. Each type has a typed
        payload under <Term>webhooks</Term> of the OpenAPI document.
      </p>
      <Heading id="verify">Verify the signature</Heading>
      <p>
        <Term>svc-signature</Term> holds a time <Term>t</Term> and a signature <Term>v1</Term>: the hex HMAC-SHA-256 of
        the time, a dot and the raw body, under the whole secret, <Term>whsec_</Term> included. Verify the bytes before
        you parse them, compare in constant time, and refuse a time more than 300 seconds ago. While a secret is rotated
        there are two signatures; one valid signature is enough.
      </p>
      <Languages label="A listener" samples={verifiers} />
      <p>
        The headers of{" "}
        <a href="https://www.standardwebhooks.com" rel="noopener">
          Standard Webhooks
        </a>{" "}
        are sent as well, so its libraries verify deliveries with the same secret.
      </p>
      <Heading id="answer">Answer</Heading>
      <ul>
        <li>Answer 2xx within 15 seconds. Store the event first and do the work afterwards.</li>
        <li>
          The same event can arrive twice: remember <Term>svc-event-id</Term>.
        </li>
        <li>
          Several events are sent at the same time, so they can arrive out of order, above all after a retry. Order them
          by <Term>sequence</Term>.
        </li>
        <li>410 Gone disables the endpoint at once. Redirects are not followed.</li>
      </ul>
      <Heading id="retries">Retries</Heading>
      <p>
        A failed delivery is retried after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours, each plus or
        minus 20%. <Term>Retry-After</Term> in your answer can delay a retry. An endpoint without any success for five
        days is disabled, after a warning by e-mail to the organisation’s owners and admins. Failed deliveries stay in
        the console and in <Term>/v1/webhook_deliveries</Term>; <Term>recover</Term> sends them again.
      </p>
      <Heading id="log">Read the log</Heading>
      <p>
        Whatever happens to deliveries, the log has every event. Its sequence has no gaps, so a client that remembers
        the last sequence it read misses nothing.
      </p>
      <Code title="GET /v1/events" code={samples.log} />
      <Heading id="types">Event types</Heading>
      <Table
        label="Event types"
        head={["Type", "When"]}
        rows={eventTypes.map((type) => [<Term key={type}>{type}</Term>, catalogue[type].about])}
      />
      <Note>
        <p>
          To try a listener, send it a test delivery from the endpoint’s page in the console: it has{" "}
          <Term>test: true</Term>, the sequence 0, and is not retried.
        </p>
      </Note>
    </Guide>
  );
}
