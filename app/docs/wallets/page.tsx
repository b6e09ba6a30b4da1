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
      lead="People keep a credential in Apple Wallet or Google Wallet. The pass follows the credential: it becomes void when the credential is suspended or revoked."
    >
      <Heading id="set-up">Set up Apple Wallet</Heading>
      <p>
        You need a membership of the Apple Developer Program. In Apple’s developer account, create a Pass Type ID and a
        certificate for it. Then enter three files under Settings, Wallets in the console: the certificate, the private
        key with which you requested it, and Apple’s intermediate certificate (Worldwide Developer Relations) that the
        certificate names as its issuer. If you requested the certificate with Keychain Access on a Mac, export the key
        as a .p12 file. Bonafide checks that the files belong together and have not expired, keeps the key encrypted,
        and never gives it back.
      </p>
      <Code title="A key, and a request for the certificate" code={request} />
      <p>
        The overview warns 30 days before the certificate expires. Enter a new certificate of the same pass type,
        because passes on phones keep their pass type. Phones can fetch updates only if this service has an https
        address.
      </p>
      <Heading id="set-up-google">Set up Google Wallet</Heading>
      <p>You need two accounts at Google, both free of charge:</p>
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
        before it stores them, and says what is missing. It stores the key encrypted and never gives it back. To replace
        the key, enter a new file of the same issuer, then delete the old key in Google Cloud. Google tells this service
        who added or removed a pass only if this service has an https address.
      </p>
      <Heading id="offer">Offer passes</Heading>
      <p>
        If the design of a template version has <Term>{'"wallet": {"apple": true, "google": true}'}</Term>, the public
        page of each valid credential shows <i>Add to Apple Wallet</i> and <i>Add to Google Wallet</i>, for each wallet
        that is set up. Anyone with the code of a credential can add the pass, so the pass shows what the public page
        shows: the public fields, the photo if it is public, and the name unless <Term>publicName</Term> is{" "}
        <Term>false</Term>. A pass in Google Wallet has no photo: Google allows photos of people only in a kind of pass
        that it must approve first.
      </p>
      <p>
        A pass has the colours of the card, its logo and the picture behind its front. Apple gets them in the file of
        the pass. Google loads them from this service, so a pass in Google Wallet has pictures only if this service has
        an https address that Google can reach. A Google pass shows the logo in a circle: a square logo fills it best.
      </p>
      <p>
        Many scanners in libraries cannot read QR codes. <Term>wallet.barcode</Term> asks for <Term>code39</Term> or{" "}
        <Term>codabar</Term> with the value of a public field. Google Wallet shows that barcode, and so does Apple
        Wallet from iOS 27 on. Earlier versions of iOS show the QR code. Every phone shows the QR code if the value does
        not fit the barcode.
      </p>
      <Code title="The link to add a pass, for your own portal or letter" code={link} />
      <p>
        For Google Wallet the type is <Term>google_wallet</Term>. The pass exists at Google before you get the answer.
        The link redirects to <Term>https://pay.google.com/gp/v/save/</Term> as long as the credential is valid.
      </p>
      <Heading id="changes">What follows a change</Heading>
      <Table
        label="What follows a change"
        head={["change", "on the phone"]}
        rows={[
          ["Suspended", "The pass is void, without barcode. A message says so, with the public reason."],
          ["Resumed", "The pass is valid again."],
          ["Revoked", "The pass is void for good."],
          ["Expired", "The pass is void, and says so by itself."],
          ["The person’s name or attributes, the expiry", "The pass shows them."],
          [
            "The person is erased",
            "The pass is void and names nobody. After 30 days, this service deletes its record of the pass.",
          ],
        ]}
      />
      <p>
        Each phone is notified through Apple’s push service. If Apple does not accept a message, it is sent again after
        30 seconds and then less and less often, for 30 days. A pass can be on at most 100 phones. One more phone
        replaces the oldest registration that no message has reached.
      </p>
      <p>
        A pass in Google Wallet is updated at Google. If Google does not accept an update, it is sent again in the same
        way, and then once a day until it arrives. Phones show at most three messages a day for each pass. The pass
        shows further changes of that day without a message.
      </p>
      <Heading id="channels">Which phones have a pass</Heading>
      <p>
        <Term>GET /v1/credentials/{"{id}"}/channels</Term> lists them; <Term>address</Term> is a mark that distinguishes
        phones. A pass that was created and is not on a phone yet is <Term>provisioned</Term>. A pass in Google Wallet
        is one channel, whichever devices of its holder have it.
      </p>
      <Table
        label="Events of wallets"
        head={["event", "when"]}
        rows={[
          [<Term key="p">credential.channel.provisioned</Term>, "The pass was created."],
          [
            <Term key="i">credential.channel.installed</Term>,
            "A phone has it, or its holder added it to Google Wallet.",
          ],
          [<Term key="r">credential.channel.removed</Term>, "Its holder removed it, or the phone was reset."],
          [
            <Term key="f">credential.channel.failed</Term>,
            "The phone cannot be reached, or Google accepted no update for 30 days; error says why.",
          ],
        ]}
      />
      <p>
        A pass emits at most one event a minute of each of the last three types. The list of channels shows the current
        state. Of the phones that removed the pass, only the newest five stay listed.
      </p>
      <Note>
        A pass is only a picture of a credential. To check it, scan its code: the answer has the current{" "}
        <To href="/docs/states">state</To>.
      </Note>
    </Guide>
  );
}
