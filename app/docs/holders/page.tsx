import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Term } from "../_parts/prose";

export const metadata: Metadata = { title: "The holder’s home" };

const approve = `POST /v1/name_requests/nrq_01k4b2hz3ge5d8s7a6p4c2b1n0/approve`;

export default function Holders() {
  return (
    <Guide
      title="The holder’s home"
      lead="One page with everything that was issued to a person here, without an account: they enter their e-mail address at /home and open the link that the service mails."
    >
      <Heading id="enter">Who sees what</Heading>
      <p>
        The page shows the credentials of all people whose <Term>email</Term> is the proved address, in every
        organisation of the service. The form gives the same answer for each address, and a mail goes only to addresses
        on record. The link works once, for an hour. The session ends after an hour. One address gets at most five such
        mails an hour.
      </p>
      <Note>Without an SMTP server nobody can enter. The page says so.</Note>
      <Heading id="keep">After leaving</Heading>
      <p>
        A person can add an address of their own. It leads to the same page, even after you have removed or changed
        their <Term>email</Term>. The address is added when its owner opens the link that the service mails to it. If
        several people of your organisation share the first address, nothing is added for them. Additions and removals
        are in the audit log, without the address.
      </p>
      <Heading id="names">A corrected name</Heading>
      <p>
        A person can ask for another name. The request appears in the console under People. If you approve it, the
        record gets the new name, and each live academic credential is reissued under it. The former credentials are
        revoked, and no public page leads from one name to the other. If you reject it, the person reads your reason.
      </p>
      <Code title="Approve over the API, with the scopes subjects:write and credentials:issue" code={approve} />
      <p>
        A connector that still sends the former name restores it with its next file, so change the name in the source as
        well.
      </p>
      <Heading id="erase">Erasure</Heading>
      <p>
        Erasing a person removes the addresses that they added, ends their sessions, and blanks their requests and
        claims.
      </p>
    </Guide>
  );
}
