import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "Without a connection" };

const turnOn = `POST /v1/templates
{
  "name": "Student ID",
  "kind": "student_id",
  "publish": true,
  "design": { "signedQr": true }
}`;

const code = `HTTPS://CREDENTIALS.EXAMPLE.EDU/C/7Q2M-0X4K-9VTB-C31E#2KCEJKQBGIAT…

18([                                  COSE_Sign1, in base32 (RFC 4648) after the #
  << {1: -19, 4: h'd75a9801'} >>,     Ed25519 (RFC 9864), first 4 bytes of the key
  {},
  << {                                a CWT (RFC 8392)
    1: "northwind",                   issuer: its slug at this host
    2: "7Q2M0X4K9VTBC31E",            code
    4: 1822348800,                    expires (left out for never)
    5: 1788220800,                    valid from
    6: 1787218200,                    issued
    -65537: {
      1: 3,                           1 membership, 2 employee ID, 3 student ID, 4 academic
      2: "Student card",              title
      3: "Ada Lovelace",              holder; empty where publicName is false
      4: 77321                        index in both status lists
    }
  } >>,
  h'…'                                64 bytes of signature
])`;

export default function Offline() {
  return (
    <Guide
      title="Without a connection"
      lead="A QR code can hold a statement that the issuer signed, so that a card is checked in a hall, a coach or at a gate that has no network."
    >
      <Heading id="turn-on">Turn it on</Heading>
      <p>
        In the console, open a version of the template and switch on <i>The QR code is signed</i>, or set{" "}
        <Term>signedQr</Term> in the design. It is off unless you ask for it. To give it to live credentials, publish
        the version and show it on them (<To href="/docs/templates">templates</To>).
      </p>
      <Code title="A template whose QR codes are signed" code={turnOn} />
      <p>
        The public page, certificates and wallet passes then show the signed code. A phone’s camera opens the public
        page as before: the statement stands after the <Term>#</Term> of the link, which browsers never send.
      </p>
      <Note>
        <p>
          Whoever photographs the code can read the statement. It holds no more than the public page shows, and it stays
          on paper when the page changes. The code is finer than a plain one: print it at 25 mm or larger.
        </p>
      </Note>
      <Heading id="scanner">Take the scanner with you</Heading>
      <p>
        Open <Term>/verify</Term> on the phone that will scan, unfold <i>Without a connection</i>, and press{" "}
        <i>Keep the scanner on this device</i>. It then opens without a network; put it on the home screen to have it as
        an app. It needs a browser of 2025 or later and the https address of this service.
      </p>
      <p>
        The device keeps the keys and both status lists of each issuer whose credential it has checked, and of those
        that you add by their short name (Settings, Organisation). It refreshes them every five minutes while it is open
        and has a connection; <i>Issuers on this device</i> says when that was. What it knows can be relied on for two
        to three days.
      </p>
      <Table
        label="What the scanner says without a connection"
        head={["It says", "It means"]}
        rows={[
          [
            "Signed, and not revoked as last known",
            "A known key signed it. It was neither revoked nor suspended at the time that stands below; what happened since is not known.",
          ],
          ["Revoked, Suspended, Expired, Not yet valid", "So say the lists of that time, or the clock of the device."],
          ["Not genuine", "The signature does not fit, or belongs to another code."],
          ["Not to be relied on", "Its issuer revoked the key that signed it."],
          [
            "Could not be checked",
            "The device does not know the issuer or the key, the lists are too old, or the card is newer than they are. That says nothing for or against it.",
          ],
        ]}
      />
      <p>
        A code without a statement is kept and checked later. As soon as there is a connection, the service is asked
        about each code again, and its answer replaces that of the device.
      </p>
      <Heading id="attendance">Count who came</Heading>
      <p>
        In the same place, name a room or an event and press <i>Start</i>. Each code that is accepted counts once; one
        that comes again is told with the time of the first scan. The list can be exported as CSV. It stays on the
        device, holds codes and times and no names, and marks what was accepted without a connection and refused later.
        A card is judged by the time of its scan: one that expired or was revoked after it stays accepted. Find the
        people by their codes in the console.
      </p>
      <Heading id="statement">What the code holds</Heading>
      <Code title="The text of a QR code, and its statement in CBOR’s notation" code={code} />
      <p>
        A title or name longer than 64 bytes is cut and ends in an ellipsis. A changed name, title or date draws the
        code anew. A credential that has ended, or whose holder was erased, shows the plain link.
      </p>
      <Heading id="check">Check it in your own program</Heading>
      <p>
        While you have a connection, keep what <Term>GET /public/issuers/{"{slug}"}</Term> answers (name, keys and the
        addresses of both lists) and the two lists themselves. Then, for each code:
      </p>
      <Table
        label="Checks of a signed QR code"
        head={["Check", "If not"]}
        rows={[
          ["The link leads to a host that you trust, and its code is claim 2.", "It is not genuine."],
          ["You know the issuer of claim 1 and a key with that key id.", "It could not be checked."],
          ["The signature fits the key, and the key is not revoked.", "It is not genuine."],
          ["It is now after claim 5 and before claim 4.", "It is not valid yet, or has expired."],
          ["Your lists are before their validUntil, and long enough for the index.", "It could not be checked."],
          ["The index is set in neither list.", "It is revoked or suspended."],
        ]}
      />
      <p>
        What passes was neither revoked nor suspended when you read the lists. Say when that was: what happened since
        then cannot be known without a connection.
      </p>
    </Guide>
  );
}
