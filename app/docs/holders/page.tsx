import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Term } from "../_parts/prose";

export const metadata: Metadata = { title: "The holder’s home" };

const ask = `PATCH /v1/templates/tpl_01kfa0v3s1e8r9k2n4m6p8q0t2
{ "confirmName": true }`;

const confirm = `GET  /v1/name_confirmations?state=waiting
POST /v1/name_confirmations/ncf_01k4b1e2r3t4y5z6x7c8v9b0nm/resend
POST /v1/name_confirmations/ncf_01k4b1e2r3t4y5z6x7c8v9b0nm/confirm  { "reason": "Showed a passport" }
POST /v1/name_confirmations/ncf_01k4b1e2r3t4y5z6x7c8v9b0nm/cancel   { "reason": "You left the programme" }`;

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
      <p>
        Credentials of one title are told apart by the first public field that differs and by the day from which they
        are valid, and by their codes if both are the same.
      </p>
      <Note>Without an SMTP server nobody can enter. The page says so.</Note>
      <Heading id="language">Language</Heading>
      <p>
        The pages for holders and verifiers speak English or German, as the browser asks with{" "}
        <Term>Accept-Language</Term>; for any other language, English. So does the scanner without a connection. Dates
        are written in that language, in the time zone of the organisation, and the card shows its labels in it if the
        template has them. Titles, reasons and all else that an organisation wrote stay as they are. Pages of claim
        links and of names to confirm have the logo and the colours of the card that they are about.
      </p>
      <p>
        A mail with a code or a link is in the language of the page on which it was asked for. A mail that tells the
        decision on a claim is in the language of the page on which the claim was made.
      </p>
      <Heading id="search">Search engines</Heading>
      <p>
        Search engines are asked not to list the page of a credential. With <Term>searchable: true</Term> in the design
        of a template they may list the pages of its valid credentials, for people who want their degree or badge to be
        found.
      </p>
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
      <Heading id="confirm">A name confirmed before issue</Heading>
      <p>
        A template can ask its holders to confirm their name first. Issuing from it then makes a name confirmation
        instead of a credential: <Term>202</Term> with its <Term>id</Term>, whether you issue one, many, by a policy or
        by a claim link. Nothing is signed, no page and no code exist, and the person counts as no holder.
      </p>
      <Code title="Over the API; in the console under Change basics" code={ask} />
      <p>
        The holder gets a link by e-mail, sees the name as it will stand, and confirms it or asks for another one. The
        credential is issued at that moment, by the terms that you sent; a validity of a year begins then. A wish for
        another name joins those under People. While it waits, nobody can confirm; once it is decided, the holder gets a
        new link.
      </p>
      <p>
        The link works for 30 days. Sending it again makes a new one, and the old one works no more. So does a changed
        e-mail address: the new link goes there by itself. Somebody without an e-mail address gets none: pass the link
        on from Credentials, Names to confirm, or confirm for them and say how you know the name. Requests that were
        decided are deleted after 90 days.
      </p>
      <Code title="Who has not confirmed, and what you can do" code={confirm} />
      <p>
        Of a person and template one request waits at a time. A further issue is refused with{" "}
        <Term>name_unconfirmed</Term>, answers the request with <Term>ifExists: return</Term>, or changes its terms and
        link with <Term>replace</Term>. A policy asks each person once, counts them as <Term>confirming</Term>, and
        cancels the request of somebody who no longer matches. If you cancel one, no policy asks that person again.
        Reissuing a credential asks nobody again.
      </p>
      <p>
        Where nothing can be issued although a request waits, its <Term>obstacle</Term> says why, and Names to confirm
        says what to do: the person is inactive, holds the credential already, had it revoked since, or the expiry that
        you set is over. Issuing without a confirmation cancels the request that waited.
      </p>
      <p>
        Listen to <Term>name_confirmation.requested</Term>, <Term>name_confirmation.confirmed</Term> and{" "}
        <Term>name_confirmation.cancelled</Term>.
      </p>
      <Heading id="erase">Erasure</Heading>
      <p>
        Erasing a person removes the addresses that they added, ends their sessions, cancels what waits for their name,
        and blanks their requests and claims.
      </p>
    </Guide>
  );
}
