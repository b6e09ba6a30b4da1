import type { Metadata } from "next";
import { placeholders } from "@/server/message-texts/placeholders";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "E-mails to holders" };

const settings = `PATCH /v1/templates/tpl_01k4azx0m1h2j3k4n5p6q7r8s9
{
  "messages": {
    "automatic": ["issued", "revoked", "expiring"],
    "expiringDays": 30,
    "senderName": "Registrar",
    "replyTo": "registrar@example.edu",
    "texts": {
      "issued": {
        "subject": "Welcome, {{name}}",
        "body": "{{issuer}} issued {{title}} to you.\\nIt is valid through {{expires}}.\\n\\n{{link}}"
      }
    }
  }
}`;

const outbox = `GET /v1/messages?state=bounced

200
{
  "data": [
    {
      "object": "message",
      "kind": "issued",
      "state": "bounced",
      "to": "ada@example.edu",
      "error": "The mail server refused the address. It said: 550 No such user",
      …
    }
  ],
  "nextCursor": null
}`;

export default function Messages() {
  return (
    <Guide
      title="E-mails to holders"
      lead="Templates can tell holders by e-mail when their credentials change. The outbox shows which messages are pending, sent, or did not arrive."
    >
      <Heading id="settings">What a template asks for</Heading>
      <p>
        Nothing is sent unless <Term>automatic</Term> names it. The settings belong to the template, not to a version.
        In the console they are under Templates, with a preview for any person and a test message to yourself. If a
        template leaves a setting out, the organisation’s applies (Settings, E-mail, or{" "}
        <Term>PATCH /v1/organisation</Term>).
      </p>
      <Table
        label="The messages"
        head={["kind", "when"]}
        rows={[
          [<Term key="i">issued</Term>, "The credential becomes valid."],
          [<Term key="s">suspended</Term>, "It is suspended. The message has the public reason."],
          [<Term key="r">resumed</Term>, "It is valid again."],
          [
            <Term key="v">revoked</Term>,
            "It is revoked. The message has the public reason. Not sent if a new credential replaces it.",
          ],
          [
            <Term key="e">expiring</Term>,
            "expiringDays before its expiry, once for each expiry. Not sent if it was issued for fewer days than that.",
          ],
          [<Term key="c">expiry_changed</Term>, "Its expiry changes, for example by a renewal."],
        ]}
      />
      <Code title="The settings of a template" code={settings} />
      <p>
        A message goes to the address that the person has when it is sent. A person who has no address, is inactive or
        was erased gets none. A message that is no longer true when it could be sent is cancelled, for example about a
        suspension that was lifted.
      </p>
      <Heading id="texts">Texts</Heading>
      <p>
        Texts are plain text: an empty line begins a paragraph, web addresses become links, and{" "}
        <Term>{"{{link}}"}</Term> on a line of its own becomes a button. Dates have the organisation’s format. A line is
        left out if one of its placeholders has no value. An unknown placeholder is 400. Texts that nobody changed are
        German where the organisation’s <Term>locale</Term> is German, and English for every other one.
      </p>
      <Table
        label="Placeholders"
        head={["placeholder", "value"]}
        rows={Object.entries(placeholders).map(([name, about]) => [<Term key={name}>{`{{${name}}}`}</Term>, about])}
      />
      <p>
        The sender’s address is always the service’s own. <Term>senderName</Term> is the name shown with it, and replies
        go to <Term>replyTo</Term>. A name that looks like a web address is left out of a message.
      </p>
      <p>
        Each message about a credential ends with the link to <Term>/home</Term>, where a holder finds all credentials
        in one place. A template with <Term>confirmName</Term> also sends <Term>confirm_name</Term>, the link under
        which a holder confirms the name before anything is issued. Its text is ours; sender and reply address are
        yours.
      </p>
      <Heading id="outbox">The outbox</Heading>
      <p>
        <Term>GET /v1/messages</Term> lists all messages, including those that were sent with{" "}
        <Term>POST /v1/credentials/{"{id}"}/send</Term>. <Term>…/cancel</Term> stops a pending message, and{" "}
        <Term>…/resend</Term> sends a message again. Messages that are no longer pending are deleted after 90 days.{" "}
        <Term>q</Term> finds messages by words of the holder’s name, address or external id. <Term>…/text</Term> shows
        subject line and text as they read now: texts are made when a message is sent, and are not stored.
      </p>
      <Code title="What bounced" code={outbox} />
      <Table
        label="States of a message"
        head={["state", "what it means"]}
        rows={[
          [
            <Term key="p">pending</Term>,
            "It waits to be sent. If the mail server does not accept it, it is retried for a day. Without a mail server it waits for seven days; meanwhile, give the holder the link yourself.",
          ],
          [<Term key="s">sent</Term>, "A mail server accepted it. Whether it was read is not known."],
          [
            <Term key="b">bounced</Term>,
            "The mail server refused the address. The credential’s e-mail channel becomes failed, and credential.channel.failed is emitted.",
          ],
          [
            <Term key="f">failed</Term>,
            "It was not sent, or the connection ended while it was handed over, so nobody knows whether it arrived. It is not retried automatically.",
          ],
          [<Term key="c">cancelled</Term>, "Somebody cancelled it, or it was no longer true."],
        ]}
      />
      <p>
        An organisation sends at most 20 messages a day to one address; further ones wait. Organisations take turns, so
        the bulk issue of one does not delay the others.
      </p>
      <Note>
        A message can be outdated when it is read. The public page always shows the current{" "}
        <To href="/docs/states">state</To>.
      </Note>
    </Guide>
  );
}
