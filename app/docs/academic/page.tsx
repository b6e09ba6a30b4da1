import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Academic credentials" };

export default function Academic() {
  return (
    <Guide
      title="Academic credentials"
      lead="A degree, a course certificate or a badge is for an achievement. Its credential has a signed document in terms that any verifier reads: Open Badges 3.0 on the W3C data model 2.0."
    >
      <Heading id="award">Award a degree</Heading>
      <p>
        Describe the achievement, name it in an academic template, then issue. An achievement has versions as a template
        has: a published one never changes, and a credential keeps the version that was current when it was issued.
      </p>
      <Code title="An achievement, a template, a credential and its document" code={samples.degree} />
      <Table
        label="What a credential says of its award"
        head={["in data", "what it becomes in the document"]}
        rows={[
          [
            <Term key="results">results.&lt;key&gt;</Term>,
            "A result of the achievement, under the key of its result description. The key of a rubric level is the level that was achieved.",
          ],
          [<Term key="credits">creditsEarned</Term>, "The credit points that were earned, a number."],
        ]}
      />
      <p>
        A template without an achievement goes on working: its credentials state one that is made of the template’s
        name. While no version of an achievement is current, nothing is issued from templates that name it: 409{" "}
        <Term>achievement_not_published</Term>.
      </p>
      <Heading id="document">The document</Heading>
      <p>
        <Term>GET /v1/credentials/&#123;id&#125;/credential.json</Term> gives it with an <Term>eddsa-rdfc-2022</Term>{" "}
        proof, and as <Term>vc+jwt</Term> where <Term>Accept</Term> names <Term>application/vc+jwt</Term> first. It has
        the same bytes each time, until what it says changes. It states no name: the holder is a salted hash of the
        e-mail address or, without one, of the external id.
      </p>
      <p>
        It names the status lists of your organisation. A revocation or suspension shows in them at once, also to
        verifiers that have never heard of this service. Your organisation is a did:web, whose keys anyone reads.
      </p>
      <p>
        Anyone with the code gets the same document at <Term>/public/credentials/&#123;code&#125;/credential.json</Term>
        , where the public page names the holder and shows the results and credits that the document states; otherwise
        the answer is 404. After an erasure it is 410. How others check it:{" "}
        <To href="/docs/states">States of a credential</To>.
      </p>
    </Guide>
  );
}
