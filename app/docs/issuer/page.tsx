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
        your slug. That name never changes. <Term>GET /v1/issuer</Term> tells it, with the keys.
      </p>
      <p>
        You can sign under a domain of your own instead, as <Term>did:web:credentials.example.edu</Term>, so that
        verifiers see that whoever runs the domain issued a credential. <Term>PUT /v1/issuer/domain</Term> names it and
        answers a DNS record (TXT) that proves it is yours. Let the domain point to this service, or let your web server
        pass <Term>/.well-known/did.json</Term> on to it with the Host header as it came.{" "}
        <Term>POST /v1/issuer/domain/verify</Term> checks both, and everything is signed under the domain from then on.
        Documents from before keep their DID and stay valid. After <Term>DELETE /v1/issuer/domain</Term> what was signed
        under the domain stays valid while the domain points here and no other organisation signs under it.
      </p>
      <Table
        label="Documents of an issuer"
        head={["path", "what it is"]}
        rows={[
          [
            "/public/issuers/{slug}/did.json",
            "The DID document: every key that signs, has signed or will sign next, and those that were revoked.",
          ],
          ["/.well-known/did.json", "The same at your own domain, for the Host of the request."],
          ["/public/status/{slug}/revocation", "The list of revoked academic credentials."],
          ["/public/status/{slug}/suspension", "The list of suspended academic credentials."],
          ["/public/status/{slug}/{purpose}/{domain}", "The same list, signed under your own domain."],
        ]}
      />
      <Heading id="registries">Registries of issuers</Heading>
      <p>
        No key proves the name of its issuer. The operator of this service can name registries of issuers, lists of DIDs
        with names in the format of the Digital Credentials Consortium. Each answer of a verification then says what
        they say of the issuer, in <Term>issuer.registries</Term>: <Term>listed</Term> with the name there,{" "}
        <Term>not_listed</Term>, or <Term>unavailable</Term>. The name in the first registry that lists an issuer of
        elsewhere comes before the name that the issuer gives itself. A registry decides nothing but the name: an issuer
        that none lists makes no credential invalid. To be listed yourself, give the registry your DID.
      </p>
      <Heading id="keys">Keys</Heading>
      <p>
        Keys are Ed25519. One signs, and the next one is published already, so that verifiers that keep your DID
        document know it before it signs. <Term>POST /v1/issuer/rotate_key</Term>, or Settings, Issuer in the console,
        lets the next key sign. It needs the scope <Term>settings:write</Term>.
      </p>
      <p>
        The private part of the retired key is deleted. Its public part stays in the DID document, so everything that it
        signed stays valid. Verifiers may keep the DID document for a minute, so a second replacement within a minute is
        409 <Term>conflict</Term> with <Term>Retry-After</Term>: they would not know the key that signs.
      </p>
      <p>
        If somebody may have copied a key, revoke it: <Term>{"POST /v1/issuer/keys/{id}/revoke"}</Term>, or Revoke
        beside the key in the console. Nothing that the key signed verifies any more, whatever date it bears, since a
        thief can write any date. The next key signs at once; if it was stored with the stolen one and may be copied
        too, revoke the next key first. Documents and status lists are signed anew when they are next asked for. Files
        that holders saved before no longer verify; they get new ones from the page of their credential.
      </p>
      <Heading id="holders">How documents name their holders</Heading>
      <p>
        A signed document holds a salted hash of the holder’s e-mail address, or of the external id of somebody without
        one: who knows the address can check it, and nobody else learns it. <Term>PATCH /v1/issuer</Term> with{" "}
        <Term>recipientIdentity</Term> changes that: <Term>name</Term> adds the name in clear, and <Term>email</Term>{" "}
        holds name and address in clear. With <Term>email</Term> the files are no longer given out on public pages,
        which never show an address. Documents are signed anew when they are next asked for; copies stay valid.
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
