import type { Metadata } from "next";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "Keys and status lists" };

export default function Issuer() {
  return (
    <Guide
      title="Keys and status lists"
      lead="What verifiers read about the issuer of an academic credential: its public keys, and which of its credentials are revoked or suspended. Both are open to everyone, without a token."
    >
      <Heading id="did">The issuer</Heading>
      <p>
        Your organisation is the issuer <Term>did:web:HOST:public:issuers:SLUG</Term>, with the host of this service and
        your slug. The name never changes. <Term>GET /v1/issuer</Term> tells it, with the keys.
      </p>
      <Table
        label="Documents of an issuer"
        head={["path", "what it is"]}
        rows={[
          ["/public/issuers/{slug}/did.json", "The DID document: every key that signs, has signed or will sign next."],
          ["/public/status/{slug}/revocation", "The list of revoked academic credentials."],
          ["/public/status/{slug}/suspension", "The list of suspended academic credentials."],
        ]}
      />
      <Heading id="keys">Keys</Heading>
      <p>
        Keys are Ed25519. One signs, and the next one is published already, so that verifiers that keep your DID
        document know it before it signs. <Term>POST /v1/issuer/rotate_key</Term>, or Settings, Issuer in the console,
        lets the next key sign. It needs the scope <Term>settings:write</Term>.
      </p>
      <p>
        The private part of the retired key is deleted. Its public part stays in the DID document, so everything that it
        signed stays valid. Replace the key twice if you fear that somebody copied your keys: the next key is stored
        with the one that signs.
      </p>
      <Heading id="lists">Status lists</Heading>
      <p>
        A list is a <Term>BitstringStatusListCredential</Term> (W3C Bitstring Status List 1.0), signed with{" "}
        <Term>eddsa-rdfc-2022</Term>. Each academic credential has one random index, the same in both lists. A list has
        at least 131,072 entries, and doubles when half of them are taken.
      </p>
      <p>
        A list shows every change that was committed before you ask. Verifiers may keep it for five minutes (
        <Term>ttl</Term> and <Term>Cache-Control</Term>); send <Term>If-None-Match</Term> to get 304 while it is the
        same. <Term>Accept</Term> chooses the form: <Term>application/vc</Term> (the default),{" "}
        <Term>application/ld+json</Term>, <Term>application/json</Term>, or <Term>application/vc+jwt</Term>.
      </p>
      <p>
        A credential that was revoked leaves the list of suspensions, and so does one that expires. See{" "}
        <To href="/docs/states">the states of a credential</To>.
      </p>
      <Note>
        <p>
          A list can say only that a credential is revoked. The reason is in the answer of{" "}
          <Term>GET /public/credentials/{"{code}"}</Term>.
        </p>
      </Note>
    </Guide>
  );
}
