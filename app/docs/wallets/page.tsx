import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "Phone wallets" };

const request = `openssl req -new -newkey rsa:2048 -nodes -keyout pass.key -out pass.csr -subj "/CN=Example University"`;

const link = `POST /v1/credentials/crd_01k4b0c9n8m7k6j5h4g3f2e1d0/channels
{ "type": "apple_wallet" }

201
{
  "object": "channel",
  "type": "apple_wallet",
  "status": "provisioned",
  "url": "https://credentials.example.edu/public/credentials/7K3M-Q9ZX-4T2B-8WNE/wallet/apple"
}`;

export default function Wallets() {
  return (
    <Guide
      title="Phone wallets"
      lead="People keep a credential in Apple Wallet or Google Wallet. The pass follows the credential: it is void once the credential is suspended or revoked."
    >
      <Heading id="set-up">Set up Apple Wallet</Heading>
      <p>
        You need a membership of the Apple Developer Program. In Apple’s developer account, make a Pass Type ID, and a
        certificate for it. Then enter three files under Settings, Wallets in the console: the certificate, the private
        key with which you requested it, and Apple’s intermediate certificate (Worldwide Developer Relations) that the
        certificate names as its issuer. Bonafide checks that they belong together and have not expired, keeps the key
        encrypted, and never gives it back.
      </p>
      <Code title="A key, and a request for the certificate" code={request} />
      <p>
        The overview warns 30 days before the certificate ends. Enter a new one of the same pass type: passes on phones
        belong to their pass type for good. Phones reach this service for updates only where it has an https address.
      </p>
      <Heading id="set-up-google">Set up Google Wallet</Heading>
      <p>You need two accounts at Google, which cost nothing:</p>
      <ol className="list-decimal space-y-1 ps-5">
        <li>
          An issuer account in the Google Pay &amp; Wallet Console. It shows your Issuer ID, a number. Ask there for
          publishing access: until Google gives it, passes say [TEST ONLY].
        </li>
        <li>
          A project in Google Cloud with the Google Wallet API enabled, and in it a service account. Under Keys, add a
          key of type JSON. A file is downloaded.
        </li>
        <li>
          Back in the Google Pay &amp; Wallet Console, invite the address of the service account under Users, with the
          access level Developer.
        </li>
      </ol>
      <p>
        Then enter the Issuer ID and the file under Settings, Wallets in the console. Bonafide tries them at Google
        before it keeps them, and says what is missing. The key is kept encrypted and never given back. To replace it,
        enter a new file of the same issuer, then delete the old key in Google Cloud. Google tells this service who
        added or removed a pass only where it has an https address.
      </p>
      <Heading id="offer">Offer it</Heading>
      <p>
        A version of a template whose design has <Term>{'"wallet": {"apple": true, "google": true}'}</Term> shows{" "}
        <i>Add to Apple Wallet</i> and <i>Add to Google Wallet</i> on the public page of each valid credential, for each
        wallet that is set up. Whoever has the code of a credential can add the pass, so it shows what the public page
        shows: the public fields, the photo where it is public, and the name unless <Term>publicName</Term> is{" "}
        <Term>false</Term>. A pass in Google Wallet has no photo: Google takes photos of people only in passes of a kind
        that it has to approve.
      </p>
      <p>
        Readers in libraries often know no QR code. <Term>wallet.barcode</Term> asks for <Term>code39</Term> or{" "}
        <Term>codabar</Term> with the value of a public field. Google Wallet shows it, and Apple Wallet from iOS 27 on.
        Earlier iPhones show the QR code, and so does every phone where the value does not fit the barcode.
      </p>
      <Code title="The link to add a pass, for your own portal or letter" code={link} />
      <p>
        For Google Wallet the type is <Term>google_wallet</Term>. The pass is at Google before you get the answer; the
        link leads on to <Term>https://pay.google.com/gp/v/save/</Term> as long as the credential is valid.
      </p>
      <Heading id="changes">What follows a change</Heading>
      <Table
        label="What follows a change"
        head={["change", "on the phone"]}
        rows={[
          ["Suspended", "The pass is void, without barcode. A message says so, with the public reason."],
          ["Resumed", "The pass is good again."],
          ["Revoked", "The pass is void for good."],
          ["Expired", "The pass is void, and says so by itself."],
          ["The person’s name or attributes, the expiry", "The pass shows them."],
          ["The person is erased", "The pass is void and names nobody. After 30 days nothing of it is left here."],
        ]}
      />
      <p>
        Each phone is told through Apple’s push service. What Apple does not take is sent again: after 30 seconds, then
        less and less often, for 30 days. A pass is on 100 phones at most; one more replaces the phone that registered
        first of those that no message reached.
      </p>
      <p>
        A pass in Google Wallet is updated at Google. What Google does not take is sent again in the same way, and then
        once a day until it arrives. Phones show at most three messages a day for each pass. Further changes of that day
        are silent: the pass shows them.
      </p>
      <Heading id="channels">Who has it</Heading>
      <p>
        <Term>GET /v1/credentials/{"{id}"}/channels</Term> lists them; <Term>address</Term> is a sign that tells phones
        apart. A pass that was made and is on no phone yet is <Term>provisioned</Term>. A pass in Google Wallet is one
        channel, on whatever devices of its holder it is.
      </p>
      <Table
        label="Events of wallets"
        head={["event", "when"]}
        rows={[
          [<Term key="p">credential.channel.provisioned</Term>, "The pass was made."],
          [
            <Term key="i">credential.channel.installed</Term>,
            "A phone has it, or its holder added it to Google Wallet.",
          ],
          [<Term key="r">credential.channel.removed</Term>, "Its holder took it out, or the phone was reset."],
          [
            <Term key="f">credential.channel.failed</Term>,
            "The phone cannot be reached, or Google took no update for 30 days; error says why.",
          ],
        ]}
      />
      <p>
        Of each of the last three, a pass emits one event a minute at most; the list of channels has the present state.
        Of the phones that left, the newest five stay listed.
      </p>
      <Note>
        A pass is a picture of a credential. Whoever checks it scans the code:{" "}
        <To href="/docs/states">only the answer</To> tells what holds at that moment.
      </Note>
    </Guide>
  );
}
