import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term } from "../_parts/prose";

export const metadata: Metadata = { title: "Claim links" };

const create = `POST /v1/claim_links
{
  "templateId": "tpl_01k4azy3b1n2m3q4w5e6r7t8y9",
  "name": "Open day 2026",
  "maxClaims": 200,
  "expiresAt": "2026-10-01T18:00:00Z"
}

201
{
  "object": "claim_link",
  "id": "clk_01k4b0c9n8m7k6j5h4g3f2e1d0",
  "state": "open",
  "url": "https://credentials.example.edu/claim/7K3M-Q9ZX-4T2B-8WNE",
  …
}`;

const decide = `POST /v1/claims/approve
{ "ids": ["clm_01k4b2hz3ge5d8s7a6p4c2b1n0"] }`;

export default function Claims() {
  return (
    <Guide
      title="Claim links"
      lead="For an event without a list of participants: people open a link or scan its QR code, prove their e-mail address, and get a credential."
    >
      <Heading id="create">Create a claim link</Heading>
      <p>
        In the console, choose Claim links. Over the API, <Term>POST /v1/claim_links</Term> returns the <Term>url</Term>{" "}
        that you show as a QR code or send. It needs the scopes <Term>credentials:issue</Term> and{" "}
        <Term>subjects:write</Term>.
      </p>
      <Code title="A link for 200 people" code={create} />
      <p>
        At most <Term>maxClaims</Term> people get a credential, however many press the button at once. An address can
        claim once per link. The page says so if the link has ended or all places are taken. A link belongs to your
        organisation: it stays open when its author leaves.
      </p>
      <Heading id="page">What people do</Heading>
      <p>
        They enter an e-mail address, type the six digits that the service mails to it, and fill in their name and what
        the card shows. The form asks for each field of the design that reads <Term>attributes.*</Term> or{" "}
        <Term>credential.data.*</Term>, or for the fields that <Term>fields</Term> names. A code works for 15 minutes,
        and five wrong entries end it. One address gets at most five mails an hour.
      </p>
      <Note>
        Without an SMTP server nobody can claim, because no address can be proved. The page and the console say so. The
        operator sets <Term>SMTP_URL</Term> and <Term>MAIL_FROM</Term>.
      </Note>
      <Heading id="people">Whom it is issued to</Heading>
      <Table
        label="Whom a claim is issued to"
        head={["the address", "what happens"]}
        rows={[
          ["One active person on record has it", "The credential goes to that person, under the name on record."],
          [
            "Nobody has it, or several people do",
            "A person is added. Their external id is claim: followed by the address.",
          ],
          [
            "The person with it holds the credential already",
            "Nothing is stored, and no place is taken. The page shows the credential and its state.",
          ],
          ["An inactive person has it", "Nothing is issued. The page tells them to contact you."],
        ]}
      />
      <p>
        What people enter goes into the <Term>data</Term> of the credential. A claim never changes an existing record
        and never overrides it: the page asks only for attributes that the record lacks. The <Term>source</Term> of the
        credential names the link.
      </p>
      <Heading id="approval">Approval</Heading>
      <p>
        With <Term>approval: true</Term> each claim waits for your decision. It keeps its place meanwhile, and nothing
        is issued before you approve. The service mails your decision to the claimant, with your reason if you reject. A
        rejected claim frees its place. Rejected claims are deleted after 90 days.
      </p>
      <Code title="Up to 100 at once; one that cannot be issued does not stop the others" code={decide} />
    </Guide>
  );
}
