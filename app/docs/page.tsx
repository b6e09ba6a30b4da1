import type { Metadata } from "next";
import Link from "next/link";
import { examples } from "@/server/http/openapi/examples";
import { samples, setUp } from "./_samples";
import { Code } from "./_parts/code";
import { Guide, Heading, Note, Term, To } from "./_parts/prose";

export const metadata: Metadata = { title: "Quick start" };

/** The first part of an answer. The rest is in the reference. */
const { id, object, code, state, issuedAt, expiresAt, verifyUrl } = examples["Credential"] as Record<string, unknown>;
const issued = { id, object, code, state, issuedAt, expiresAt, verifyUrl };
const verified = {
  object: "verification",
  result: "valid",
  state: "active",
  reason: null,
  credential: {
    code,
    title: "Student ID",
    subject: { displayName: "Ada Lovelace" },
    fields: [{ key: "programme", label: "Programme", value: "Mathematics" }],
  },
};

export default function QuickStart() {
  return (
    <Guide
      title="Quick start"
      lead="From an API key to a credential that anyone can verify, in five requests. You can copy and run each one."
    >
      <p>
        An integration upserts a person whenever your record of them changes, and issues once. The event that ends the
        relationship in your own system also suspends or revokes the credential. <To href="/docs/webhooks">Webhooks</To>{" "}
        tell you what happens here.
      </p>
      <Heading id="key">1. Get a key</Heading>
      <p>
        In the console, open{" "}
        <Link href="/keys" prefetch={false}>
          API keys
        </Link>{" "}
        and create one. Its secret is shown once. Keep it in your shell, with the address of this service:
      </p>
      <Code title="Your shell" code={setUp} />
      <Heading id="person">2. Upsert a person</Heading>
      <p>
        <Term>externalId</Term> is your own key, such as a student number. Sending the same request twice gives the same
        person, so you can send it on every change.
      </p>
      <Code title="PUT /v1/subjects" code={samples.person} />
      <Heading id="template">3. Create a template</Heading>
      <p>
        A template says what a kind of credential looks like, which fields are public, and how long it is valid. You can
        also design it in the console and use its id.
      </p>
      <Code title="POST /v1/templates" code={samples.template} />
      <Heading id="issue">4. Issue</Heading>
      <p>
        The answer has <Term>verifyUrl</Term>, the page that the holder shows, and <Term>code</Term>, which is printed
        on a card. The <To href="/docs/idempotency">Idempotency-Key</To> makes a repeat safe.
      </p>
      <Code title="POST /v1/credentials" code={samples.issue} />
      <Code title="201 Created" code={JSON.stringify(issued, null, 2)} />
      <Heading id="verify">5. Verify</Heading>
      <p>Anyone can verify a credential, by its code or by scanning it. Each answer is computed at that moment.</p>
      <Code title="GET /public/credentials/{code}" code={samples.verify} />
      <Code title="200 OK" code={JSON.stringify(verified, null, 2)} />
      <p>When the relationship ends, revoke the credential, which is permanent:</p>
      <Code title="POST /v1/credentials/{id}/revoke" code={samples.revoke} />
      <Note>
        The whole API is in the <To href="/docs/reference">reference</To>, and as OpenAPI 3.1 at{" "}
        <To href="/openapi.json">/openapi.json</To>: orval, hey-api and openapi-typescript generate typed clients from
        it. For orval’s <Term>fetch</Term> client, set <Term>override.contentType.exclude</Term> to{" "}
        <Term>["multipart/form-data"]</Term>.
      </Note>
    </Guide>
  );
}
