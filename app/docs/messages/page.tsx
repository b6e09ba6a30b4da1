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
      lead="Holders are told by e-mail what becomes of their credentials, where the template asks for it. The outbox shows what waits, what was sent, and what did not arrive."
    >
      <Heading id="settings">What a template asks for</Heading>
      <p>
        Nothing is sent unless <Term>automatic</Term> names it. The settings belong to the template, not to a version.
        In the console they stand under Templates, with a preview for any person and a test message to yourself. What a
        template leaves out is taken from the organisation (Settings, E-mail, or <Term>PATCH /v1/organisation</Term>).
      </p>
      <Table
        label="The messages"
        head={["kind", "when"]}
        rows={[
          [<Term key="i">issued</Term>, "The credential becomes valid."],
          [<Term key="s">suspended</Term>, "It is suspended; with the public reason."],
          [<Term key="r">resumed</Term>, "It is valid again."],
          [<Term key="v">revoked</Term>, "It is revoked; with the public reason. Not where a new one replaces it."],
          [
            <Term key="e">expiring</Term>,
            "Days before its end (expiringDays), once for each end. Not where it was issued for fewer days than these.",
          ],
          [<Term key="c">expiry_changed</Term>, "Its end changes, such as by a renewal."],
        ]}
      />
      <Code title="The settings of a template" code={settings} />
      <p>
        They go to the address that the person has when they are sent. Somebody without an address, inactive or erased
        gets none. A message whose news is no longer true when it could be sent, such as of a suspension that was
        lifted, is cancelled.
      </p>
      <Heading id="texts">Words</Heading>
      <p>
        Texts are plain text: an empty line begins a paragraph, web addresses become links, and{" "}
        <Term>{"{{link}}"}</Term> on a line of its own becomes a button. Dates are written as the organisation writes
        them. A line with a placeholder that has nothing to say is left out. An unknown placeholder is 400.
      </p>
      <Table
        label="Placeholders"
        head={["placeholder", "stands for"]}
        rows={Object.entries(placeholders).map(([name, about]) => [<Term key={name}>{`{{${name}}}`}</Term>, about])}
      />
      <p>
        The address of the sender is always the one of the service; <Term>senderName</Term> is the name beside it, and
        answers go to <Term>replyTo</Term>. A name that looks like a web address is left out of a message.
      </p>
      <Heading id="outbox">The outbox</Heading>
      <p>
        <Term>GET /v1/messages</Term> lists all messages, also those that somebody sent with{" "}
        <Term>POST /v1/credentials/{"{id}"}/send</Term>. <Term>…/cancel</Term> stops one that waits, and{" "}
        <Term>…/resend</Term> sends one again. Messages that do not wait any more are removed after 90 days.
      </p>
      <Code title="What bounced" code={outbox} />
      <Table
        label="States of a message"
        head={["state", "what it means"]}
        rows={[
          [
            <Term key="p">pending</Term>,
            "It waits. A mail server that does not take it is asked again for a day. Without a mail server it waits for seven days; give the holder its link meanwhile.",
          ],
          [<Term key="s">sent</Term>, "A mail server took it. Whether it was read is not known."],
          [
            <Term key="b">bounced</Term>,
            "The mail server refused the address. The credential’s channel email is failed, and credential.channel.failed follows.",
          ],
          [
            <Term key="f">failed</Term>,
            "It was not sent, or the connection ended while it was handed over, so that nobody knows. It is not sent a second time by itself.",
          ],
          [<Term key="c">cancelled</Term>, "Somebody cancelled it, or its news was no longer true."],
        ]}
      />
      <p>
        An organisation sends 20 messages a day to one address; more wait. Organisations take turns, so a bulk issue of
        one delays no other.
      </p>
      <Note>
        A message is only a pointer: <To href="/docs/states">the public page</To> tells what holds at this moment.
      </Note>
    </Guide>
  );
}
