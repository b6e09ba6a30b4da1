import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Term } from "../_parts/prose";

export const metadata: Metadata = { title: "The holder’s home" };

const approve = `POST /v1/name_requests/nrq_01k4b2hz3ge5d8s7a6p4c2b1n0/approve`;

export default function Holders() {
  return (
    <Guide
      title="The holder’s home"
      lead="One page with everything that was issued to a person here, without an account: at /home they enter their e-mail address and open the link that we mail."
    >
      <Heading id="enter">Who sees what</Heading>
      <p>
        The page shows what is held by the people whose <Term>email</Term> is the proved address, in every organisation
        of the service. It answers the same to each address, and mails only those that somebody on record has. The link
        works once, for an hour; the session ends after an hour. One address gets five such mails an hour.
      </p>
      <Note>Without an SMTP server nobody can enter. The page says so.</Note>
      <Heading id="keep">After leaving</Heading>
      <p>
        A person can add an address of their own. It leads to the same page, also after you have removed or changed
        their <Term>email</Term>. It is added once the link that we mail to it was opened; where several people of your
        organisation share the first address, it is not. Additions and removals are in the audit log, without the
        address.
      </p>
      <Heading id="names">A corrected name</Heading>
      <p>
        A person can ask for another name. In the console the request waits under People. When you approve it, the
        record has the name, and each live academic credential is issued again under it. The former ones are revoked,
        and no public page leads from one name to the other. When you reject it, the person reads your reason.
      </p>
      <Code title="The same over the API, with subjects:write and credentials:issue" code={approve} />
      <p>
        A connector that still sends the former name sets it back with its next file: change it in the source as well.
      </p>
      <Heading id="erase">Erasure</Heading>
      <p>
        Erasing a person removes the addresses that they added, ends their sessions, and blanks their requests and
        claims.
      </p>
    </Guide>
  );
}
