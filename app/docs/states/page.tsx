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
      lead="A credential is in one of five states. Verification, the public page and webhooks follow each change at once."
    >
      <StateDiagram />
      <Table
        label="States"
        head={["State", "What it means", "Verification"]}
        rows={[
          [
            <Term key="s">pending</Term>,
            <>
              Issued, and <Term>validFrom</Term> is in the future
            </>,
            "Not yet valid",
          ],
          [<Term key="s">active</Term>, "In force", "Valid"],
          [<Term key="s">suspended</Term>, "Not in force for now; it can be resumed", "Not valid, with the reason"],
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
        For a leave of absence, for example, or overdue fees. The reason is public: whoever verifies the credential
        reads it. A <Term>note</Term> is for your organisation alone.
      </p>
      <Code title="POST /v1/credentials/{id}/suspend" code={samples.suspend} />
      <Code title="POST /v1/credentials/{id}/resume" code={samples.resume} />
      <Heading id="revoke">Revoke</Heading>
      <p>
        Permanent, and possible from every state. Revoking a revoked credential succeeds, changes nothing and keeps the
        first reason.
      </p>
      <Code title="POST /v1/credentials/{id}/revoke" code={samples.revoke} />
      <Heading id="clock">What the clock does</Heading>
      <p>
        A pending credential becomes active at <Term>validFrom</Term>, and a credential with <Term>expiresAt</Term> is
        valid until just before that instant. People are shown the last day on which it is valid, in the organisation’s
        time zone. Suspending does not stop the clock. Verification decides by the clock itself;{" "}
        <Term>credential.issued</Term> and <Term>credential.expired</Term> follow within a second.
      </p>
      <Heading id="reissue">Reissue</Heading>
      <p>
        For a lost card, for example, or a changed programme. <Term>reissue</Term> creates a new credential of the same
        template and revokes the old one as superseded. The old page does not lead to the new code unless you send{" "}
        <Term>linkPublicly</Term>. The new credential starts now; an academic one keeps the day of its award unless you
        send <Term>validFrom</Term>.
      </p>
      <Heading id="send">Send it to the holder</Heading>
      <p>
        <Term>{"POST /v1/credentials/{id}/send"}</Term> sends an e-mail with the link to the credential’s page: to the
        holder’s address, or to the one in <Term>to</Term>. The answer is 202 with a channel; the event{" "}
        <Term>credential.channel.provisioned</Term> or <Term>credential.channel.failed</Term> says how it ended. A
        message waits up to seven days for a mail server, and is not sent once the credential has ended. One address
        gets at most one message about a credential every five minutes, and 20 messages a day from an organisation. An
        organisation sends at most 1,000 messages an hour. More is 429 <Term>rate_limited</Term>. A credential is sent
        to at most ten addresses.
      </p>
      <Heading id="one">One credential per person and template</Heading>
      <p>
        A person holds at most one live credential (pending, active or suspended) of a template. Issuing a second one is
        409 <Term>credential_exists</Term>, which names the first. <Term>ifExists: return</Term> returns the first one,
        and <Term>replace</Term> supersedes it.
      </p>
      <p>
        A person can hold several credentials of a <Term>repeatable</Term> template, such as a prize that is won twice.
        Each issue creates another credential, and <Term>ifExists</Term> is a 400. A policy issues one, whatever else
        the person holds of the template. <Term>repeatable</Term> can be changed until the template is first published.
        With such a template, only an <Term>Idempotency-Key</Term> distinguishes a repeated request from a second award.
      </p>
      <Note>
        <p>
          An action that the state does not allow is 409 <Term>credential_state</Term>, and changes nothing.
        </p>
      </Note>
    </Guide>
  );
}
