import type { Metadata } from "next";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "Keys and status lists" };

export default function Issuer() {
  return (
    <Guide
      title="Keys and status lists"
      lead="What verifiers read about the issuer of an academic credential: its public keys, and which of its credentials are revoked or suspended. Anyone can read both, without a token."
    >
      <Heading id="did">The issuer</Heading>
      <p>
        Your organisation is the issuer <Term>did:web:HOST:public:issuers:SLUG</Term>, with the host of this service and
        your slug. This DID never changes. <Term>GET /v1/issuer</Term> returns it, with the keys.
      </p>
      <p>
        You can sign under a domain of your own instead, as <Term>did:web:credentials.example.edu</Term>, so that
        verifiers see that the owner of the domain issued a credential. <Term>PUT /v1/issuer/domain</Term> sets the
        domain and returns a DNS record (TXT) that proves that it is yours. Let the domain point to this service, or let
        your web server forward <Term>/.well-known/did.json</Term> to it with an unchanged Host header.{" "}
        <Term>POST /v1/issuer/domain/verify</Term> checks both, and everything is signed under the domain from then on.
        Earlier documents keep their DID and stay valid. After <Term>DELETE /v1/issuer/domain</Term>, documents that
        were signed under the domain stay valid while the domain points here and no other organisation signs under it.
      </p>
      <Table
        label="Documents of an issuer"
        head={["path", "what it is"]}
        rows={[
          [
            "/public/issuers/{slug}/did.json",
            "The DID document: every key that signs, has signed or will sign next, and those that were revoked.",
          ],
          ["/.well-known/did.json", "The same document at your own domain, chosen by the Host of the request."],
          ["/public/status/{slug}/revocation", "The list of revoked academic credentials."],
          ["/public/status/{slug}/suspension", "The list of suspended academic credentials."],
          ["/public/status/{slug}/{purpose}/{domain}", "The same list, signed under your own domain."],
        ]}
      />
      <Heading id="registries">Registries of issuers</Heading>
      <p>
        A key does not prove the name of its issuer. The operator of this service can configure registries of issuers:
        lists of DIDs with names, in the format of the Digital Credentials Consortium. Each verification then reports
        what they say about the issuer, in <Term>issuer.registries</Term>: <Term>listed</Term> with the name there,{" "}
        <Term>not_listed</Term>, or <Term>unavailable</Term>. For an issuer from outside this service, the name in the
        first registry that lists it takes precedence over the name that the issuer gives itself. A registry decides
        only the name: a credential is not invalid because no registry lists its issuer. To be listed yourself, give the
        registry your DID.
      </p>
      <Heading id="keys">Keys</Heading>
      <p>
        Keys are Ed25519. One key signs, and the next one is already published, so that verifiers that cache your DID
        document know it before it signs. <Term>POST /v1/issuer/rotate_key</Term>, or Settings, Issuer in the console,
        switches to the next key. It needs the scope <Term>settings:write</Term>.
      </p>
      <p>
        The private part of the retired key is deleted. Its public part stays in the DID document, so everything that it
        signed stays valid. Verifiers may cache the DID document for a minute and would not know a key that is newer. A
        second rotation within a minute is therefore 409 <Term>conflict</Term> with <Term>Retry-After</Term>.
      </p>
      <p>
        If a key may have been copied, revoke it: <Term>{"POST /v1/issuer/keys/{id}/revoke"}</Term>, or Revoke next to
        the key in the console. Nothing that the key signed is valid any more, whatever its date, because a thief can
        write any date. The next key signs at once. If the next key may have been copied too, revoke it first. Documents
        and status lists are signed anew when they are next requested. Files that holders saved earlier no longer
        verify; holders get new ones from the page of their credential.
      </p>
      <Heading id="holders">How documents name their holders</Heading>
      <p>
        A signed document holds a salted hash of the holder’s e-mail address, or, without one, of the external id.
        Whoever knows the address can check the hash, and nobody else learns the address. A document keeps the name,
        address and id of the day of issue; to correct them, reissue the credential. <Term>PATCH /v1/issuer</Term> with{" "}
        <Term>recipientIdentity</Term> changes that: <Term>name</Term> adds the name in clear, and <Term>email</Term>{" "}
        holds name and address in clear. With <Term>email</Term>, public pages no longer offer the files, because a
        public page never shows an address. Documents are signed anew when they are next requested; earlier copies stay
        valid.
      </p>
      <Heading id="lists">Status lists</Heading>
      <p>
        A list is a <Term>BitstringStatusListCredential</Term> (W3C Bitstring Status List 1.0), signed with{" "}
        <Term>eddsa-rdfc-2022</Term>. Each academic credential has one random index, the same in both lists. A list has
        at least 131,072 entries, and doubles its size when half of them are in use.
      </p>
      <p>
        A list shows every change that was committed before your request. Verifiers may cache it for five minutes (
        <Term>ttl</Term> and <Term>Cache-Control</Term>); send <Term>If-None-Match</Term> to get 304 while it is the
        same. <Term>Accept</Term> chooses the form: <Term>application/vc</Term> (the default),{" "}
        <Term>application/ld+json</Term>, <Term>application/json</Term>, or <Term>application/vc+jwt</Term>.
      </p>
      <p>
        A revoked or expired credential leaves the list of suspensions. See{" "}
        <To href="/docs/states">the states of a credential</To>.
      </p>
      <Note>
        <p>
          A list says only that a credential is revoked. For the reason, call{" "}
          <Term>GET /public/credentials/{"{code}"}</Term>.
        </p>
      </Note>
    </Guide>
  );
}
