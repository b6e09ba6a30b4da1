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
      lead="Each change is an event in a log without gaps, written in the same transaction. Your endpoint receives it as a signed POST, within a moment of the commit."
    >
      <Heading id="endpoint">Register an endpoint</Heading>
      <p>
        In the console, or with a request. <Term>eventTypes</Term> takes names and families such as{" "}
        <Term>credential.*</Term>. The answer holds the signing secret, this once.
      </p>
      <Code title="POST /v1/webhook_endpoints" code={samples.endpoint} />
      <Heading id="payload">What you receive</Heading>
      <Code title="The body of credential.revoked" code={example} />
      <p>
        <Term>data.object</Term> holds the facts as they were then, and <Term>data.previous</Term> the changed fields as
        they were before. Attributes, photos and private notes are never in an event. Each type has a typed payload
        under <Term>webhooks</Term> of the OpenAPI document.
      </p>
      <Heading id="verify">Verify the signature</Heading>
      <p>
        <Term>svc-signature</Term> holds a time <Term>t</Term> and a signature <Term>v1</Term>: the hex HMAC-SHA-256 of
        the time, a dot and the raw body, under the whole secret, <Term>whsec_</Term> included. Verify the bytes before
        you parse them, compare in constant time, and refuse what is older than 300 seconds. While a secret is rotated
        there are two signatures; one that fits is enough.
      </p>
      <Languages label="A listener" samples={verifiers} />
      <p>
        The headers of{" "}
        <a href="https://www.standardwebhooks.com" rel="noopener">
          Standard Webhooks
        </a>{" "}
        are sent beside it, so that its libraries verify our deliveries with the same secret.
      </p>
      <Heading id="answer">Answer</Heading>
      <ul>
        <li>Answer 2xx within 15 seconds. Store the event first and do the work afterwards.</li>
        <li>
          The same event can come twice: remember <Term>svc-event-id</Term>.
        </li>
        <li>
          Events of one credential can overtake each other where one is tried again. Order them by <Term>sequence</Term>
          .
        </li>
        <li>410 Gone disables the endpoint at once. Redirects are not followed.</li>
      </ul>
      <Heading id="retries">Retries</Heading>
      <p>
        After a failure, a delivery is tried again after 5 seconds, 5 and 30 minutes, and 2, 5, 10, 14, 20 and 24 hours,
        give or take a fifth; <Term>Retry-After</Term> can make it later. An endpoint without any success for five days
        is disabled, and the organisation’s owners are told before. What failed stays in the console and in{" "}
        <Term>/v1/webhook_deliveries</Term>; <Term>recover</Term> sends it again.
      </p>
      <Heading id="log">Read the log</Heading>
      <p>
        Whatever happened to deliveries, the log has every event. Its sequence has no gaps, so that a client that
        remembers the last one it has seen misses nothing.
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
