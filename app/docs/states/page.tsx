import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term } from "../_parts/prose";
import { samples } from "../_samples";
import { StateDiagram } from "./diagram";

export const metadata: Metadata = { title: "States of a credential" };

export default function States() {
  return (
    <Guide
      title="States of a credential"
      lead="A credential is in one of five states. Verification, the public page and webhooks follow in the same instant."
    >
      <StateDiagram />
      <Table
        label="States"
        head={["State", "What it means", "Verification"]}
        rows={[
          [
            <Term key="s">pending</Term>,
            <>
              Issued, and <Term>validFrom</Term> lies ahead
            </>,
            "Not yet valid",
          ],
          [<Term key="s">active</Term>, "In force", "Valid"],
          [<Term key="s">suspended</Term>, "Out of force for now; it can be resumed", "Not valid, with the reason"],
          [
            <Term key="s">expired</Term>,
            <>
              <Term>expiresAt</Term> has passed
            </>,
            "Not valid any more",
          ],
          [<Term key="s">revoked</Term>, "Ended for good; it never comes back", "Not valid, with the reason"],
        ]}
      />
      <Heading id="suspend">Suspend and resume</Heading>
      <p>
        For a leave, or fees that are overdue. The reason is public: whoever verifies the credential reads it. A{" "}
        <Term>note</Term> is for your organisation alone.
      </p>
      <Code title="POST /v1/credentials/{id}/suspend" code={samples.suspend} />
      <Code title="POST /v1/credentials/{id}/resume" code={samples.resume} />
      <Heading id="revoke">Revoke</Heading>
      <p>
        For good, from every state. To revoke a revoked credential succeeds, changes nothing and keeps the first reason.
      </p>
      <Code title="POST /v1/credentials/{id}/revoke" code={samples.revoke} />
      <Heading id="clock">What the clock does</Heading>
      <p>
        A pending credential becomes active at <Term>validFrom</Term>, and one with <Term>expiresAt</Term> expires at
        that instant, which it excludes. People read the last day before it, in the organisation’s time zone. Suspending
        does not stop the clock. Verification decides by the clock itself; <Term>credential.issued</Term> and{" "}
        <Term>credential.expired</Term> follow within a second.
      </p>
      <Heading id="reissue">Reissue</Heading>
      <p>
        A lost card, or a changed programme: <Term>reissue</Term> makes a new credential of the same template and
        revokes the old one as superseded. The old page does not lead to the new code unless you send{" "}
        <Term>linkPublicly</Term>. The new one starts now; an academic one keeps the day of its award unless you send{" "}
        <Term>validFrom</Term>.
      </p>
      <Heading id="send">Send it to the holder</Heading>
      <p>
        <Term>{"POST /v1/credentials/{id}/send"}</Term> sends an e-mail with the link to the credential’s page: to the
        holder’s address, or to the one in <Term>to</Term>. The answer is 202 with a channel, which{" "}
        <Term>credential.channel.provisioned</Term> or <Term>credential.channel.failed</Term> concludes. A message waits
        seven days for a mail server, and is not sent once the credential has ended. One address gets a message about a
        credential every five minutes at most and 20 messages of an organisation a day, a credential goes to ten
        addresses, and an organisation sends 1,000 messages an hour; more is 429 <Term>rate_limited</Term>.
      </p>
      <Heading id="one">One of a template</Heading>
      <p>
        A person holds at most one live credential (pending, active or suspended) of a template. Issuing a second one is
        409 <Term>credential_exists</Term>, which names the first; <Term>ifExists: return</Term> answers that one, and{" "}
        <Term>replace</Term> supersedes it.
      </p>
      <p>
        Of a <Term>repeatable</Term> template a person can hold several, such as a prize that is won twice: each issue
        makes another credential, and <Term>ifExists</Term> is a 400. A policy issues one, whatever else the person
        holds of the template. <Term>repeatable</Term> is chosen when the template is made, and is fixed once it is
        published. There, an <Term>Idempotency-Key</Term> alone tells a repeated request from a second award.
      </p>
      <Note>
        <p>
          An action that a state does not allow is 409 <Term>credential_state</Term>, and nothing is done.
        </p>
      </Note>
    </Guide>
  );
}
