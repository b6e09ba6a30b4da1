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
            "A result of the achievement, under the key of its result description. The key of a rubric level is the level that was achieved. A result of the type Status is one of Completed, Enrolled, Failed, InProgress, OnHold, Provisional and Withdrew.",
          ],
          [<Term key="credits">creditsEarned</Term>, "The credit points that were earned, a number."],
          [
            <Term key="evidence">evidence</Term>,
            "Up to 20 objects with url, name, narrative (Markdown), description, genre and audience; each has a url, a name or a narrative.",
          ],
          [
            <Term key="awarded">awardedDate</Term>,
            "The day of the award, such as 2026-07-01, or a time. Without it, the day on which the credential begins. A reissue keeps it.",
          ],
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
        the same bytes each time, until what it says changes. Unless your organisation chooses otherwise (see{" "}
        <To href="/docs/issuer">Keys and status lists</To>), it states no name: the holder is a salted hash of the
        e-mail address or, without one, of the external id.
      </p>
      <p>
        It names the status lists of your organisation. A revocation or suspension shows in them at once, also to
        verifiers that have never heard of this service. Your organisation is a did:web, whose keys anyone reads.
      </p>
      <p>
        Anyone with the code gets the same document at <Term>/public/credentials/&#123;code&#125;/credential.json</Term>
        , where the public page names the holder and shows the results, credits and evidence that the document states;
        otherwise the answer is 404. A field of the design that reads <Term>credential.data.evidence</Term>, among its{" "}
        <Term>publicFields</Term>, shows evidence. The editor of a template and the form for issuing say where holders
        get no files, and why. After an erasure it is 410. How others check it:{" "}
        <To href="/docs/states">States of a credential</To>.
      </p>
      <p>
        Whoever hands the document in at <Term>/verify</Term>, <Term>POST /public/verify</Term> or{" "}
        <Term>POST /v1/verify</Term> gets the answer of its code: the holder where the template names one, why it was
        suspended or revoked, and a newer credential. Beside it stand the results, credits and evidence that the
        document states. If the signature or a status list says something worse than your record, the worse counts.
      </p>
      <Heading id="files">Badge and certificate</Heading>
      <p>
        <Term>badge.png</Term> and <Term>badge.svg</Term>, beside <Term>credential.json</Term>, are a picture with the
        document baked in: whoever has the picture can verify it, here or elsewhere. A program that saves the picture
        anew removes the document. <Term>credential.pdf</Term> is a page of A4 to print, with the holder’s name, dates,
        credits and results, a QR code of the public page, and the document attached, which the verify page reads. Names
        print in any script. A credential that is revoked, suspended or expired has that stamped on it.
      </p>
      <p>
        All of them are given to the organisation, and by the code to anyone who may have the document. Each has an{" "}
        <Term>ETag</Term> and the same bytes until what it says changes. The public page offers them for download,
        together with links to share the credential and to add it to a LinkedIn profile; each use emits{" "}
        <Term>credential.shared</Term>. Other sites show a preview beside a link to the page. It names an end, such as a
        revocation, and no other state, because they keep it.
      </p>
      <Heading id="picture">The picture of an achievement</Heading>
      <p>
        Send a PNG or SVG of up to 2 MiB to{" "}
        <Term>PUT /v1/achievements/&#123;id&#125;/versions/&#123;version&#125;/image</Term> while the version is a
        draft. Badges show it and credentials state it. An SVG holds plain shapes alone: convert its text to outlines.
        Without a picture, badges are drawn with the names of the achievement and of the issuer, in the colours of the
        template.
      </p>
    </Guide>
  );
}
