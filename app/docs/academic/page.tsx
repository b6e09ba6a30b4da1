import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Academic credentials" };

export default function Academic() {
  return (
    <Guide
      title="Academic credentials"
      lead="A degree, a course certificate or a badge is awarded for an achievement. Its credential has a signed document in a standard format: Open Badges 3.0 on the W3C data model 2.0."
    >
      <Heading id="award">Award a degree</Heading>
      <p>
        Describe the achievement, name it in an academic template, then issue. An achievement has versions, as a
        template does: a published version never changes, and a credential keeps the version that was current when it
        was issued.
      </p>
      <Code title="An achievement, a template, a credential and its document" code={samples.degree} />
      <Table
        label="What a credential says about its award"
        head={["in data", "what it becomes in the document"]}
        rows={[
          [
            <Term key="results">results.&lt;key&gt;</Term>,
            "A result of the achievement, under the key of its result description. For a rubric, the value is the key of the level that was achieved. For the type Status, it is one of Completed, Enrolled, Failed, InProgress, OnHold, Provisional and Withdrew.",
          ],
          [<Term key="credits">creditsEarned</Term>, "The number of credit points earned."],
          [
            <Term key="evidence">evidence</Term>,
            "Up to 20 objects with url, name, narrative (Markdown), description, genre and audience; each has a url, a name or a narrative.",
          ],
          [
            <Term key="awarded">awardedDate</Term>,
            "The day of the award, such as 2026-07-01, or a time; not ahead of today or of validFrom. By default, the day on which the credential starts. A reissue keeps it.",
          ],
        ]}
      />
      <p>
        A template needs no achievement: without one, its credentials state an achievement with the template’s name. If
        an achievement has no current version, nothing can be issued from templates that name it: 409{" "}
        <Term>achievement_not_published</Term>. Its <Term>templateCount</Term> says how many published templates those
        are, and the answer that archives the current version has the warning <Term>templates_stopped</Term>.
      </p>
      <p>
        A credential keeps the holder’s name of its issue. If the person has none then, it is issued all the same, with{" "}
        <Term>unnamed_holder</Term> among its <Term>warnings</Term>: its certificate is made out to “the holder of this
        credential”. Rows of a bulk request and the preview of a policy warn too. Enter the name, then reissue it.
      </p>
      <Heading id="document">The document</Heading>
      <p>
        <Term>GET /v1/credentials/&#123;id&#125;/credential.json</Term> returns the document with an{" "}
        <Term>eddsa-rdfc-2022</Term> proof, or as <Term>vc+jwt</Term> if <Term>Accept</Term> names{" "}
        <Term>application/vc+jwt</Term> first. Its bytes stay the same until its content changes. By default it states
        no name: it identifies the holder by a salted hash of the e-mail address or, without one, of the external id, as
        they were at issue. Your organisation can change that (see <To href="/docs/issuer">Keys and status lists</To>).
      </p>
      <p>
        The document refers to the status lists of your organisation. They show a revocation or suspension at once, also
        to verifiers that do not know this service. The issuer is your organisation’s did:web, whose public keys anyone
        can read.
      </p>
      <p>
        Anyone with the code gets the same document at <Term>/public/credentials/&#123;code&#125;/credential.json</Term>
        , if the public page names the holder and shows the results, credits and evidence that the document states.
        Otherwise the answer is 404. To show evidence, add a field of the design that reads{" "}
        <Term>credential.data.evidence</Term> to its <Term>publicFields</Term>. The editor of a template and the form
        for issuing warn if holders get no files, and say why. After an erasure the answer is 410. What verification
        says about each state: <To href="/docs/states">States of a credential</To>.
      </p>
      <p>
        Submitting the document at <Term>/verify</Term>, <Term>POST /public/verify</Term> or{" "}
        <Term>POST /v1/verify</Term> gives the same answer as its code: the holder if the template makes the name
        public, the reason of a suspension or revocation, and a newer credential. The answer also has the results,
        credits and evidence that the document states. If the signature or a status list gives a worse result than your
        record, the worse result counts.
      </p>
      <p>
        If you correct results, credits, evidence or the day of the award, files of before stay as they are. The verify
        page then says that the record was corrected after the file was signed, and shows what the record says. A
        reissue with data that the present version of the achievement does not allow is 409: send the data that fits.
      </p>
      <p>
        If you move the end of a credential to an earlier day, copies of before still state the later one. So from the
        new end on, the list of revocations contains the credential: other verifiers call it revoked, and this service
        calls it expired.
      </p>
      <Heading id="files">Badge and certificate</Heading>
      <p>
        <Term>badge.png</Term> and <Term>badge.svg</Term>, beside <Term>credential.json</Term>, are a picture with the
        document baked in: anyone who has the picture can verify it, here or elsewhere. A program that saves the picture
        again may remove the document. <Term>credential.pdf</Term> is an A4 page to print, with the holder’s name,
        dates, credits and results, and a QR code of the public page. At most nine facts fit; if there are more, the
        last place says how many are not printed. The document is attached to the PDF, and the verify page reads it.
        Names print in any script. If the credential is revoked, suspended or expired, the page is stamped so.
      </p>
      <p>
        The organisation gets all of these files; anyone with the code gets them if the document is public. Each has an{" "}
        <Term>ETag</Term> and keeps its bytes until its content changes. The public page offers them for download,
        together with links to share the credential and to add it to a LinkedIn profile. Each use emits{" "}
        <Term>credential.shared</Term>. Other sites show a preview picture with a link to the page. The preview names a
        state only if it is final, such as a revocation, because other sites keep the picture.
      </p>
      <Heading id="archive">The files of a cohort</Heading>
      <p>
        <Term>POST /v1/credentials/archive</Term> answers with a ZIP archive of the certificates, badges and documents
        of up to 10,000 credentials: those whose <Term>ids</Term> you send, or all that the list shows with the same
        filters, such as <Term>templateId</Term> or <Term>issuedAfter</Term>. <Term>formats</Term> chooses among{" "}
        <Term>pdf</Term>, <Term>png</Term> and <Term>json</Term>. In the console, choose credentials in the list, or
        filter it, and press “Download files”. It takes <Term>credentials:read</Term> and <Term>subjects:read</Term>,
        because the archive names the holders.
      </p>
      <p>
        The archive streams: each file is made while you read, as the credential is at that moment, and nothing is kept
        on the server. Certificates take the longest; how long depends on the machine and on what else it does. The last
        file, <Term>index.csv</Term>, has a row for each credential with its state, its public link and the names of its
        files, or the reason why a file is missing. If files are missing, the comment of the archive says how many; the
        console shows it after the download. Memberships and ID cards have no files, so only the index names them. If
        the connection breaks, the archive does not open; ask again.
      </p>
      <Heading id="picture">The picture of an achievement</Heading>
      <p>
        Send a PNG or SVG of up to 2 MiB to{" "}
        <Term>PUT /v1/achievements/&#123;id&#125;/versions/&#123;version&#125;/image</Term> while the version is a
        draft. Badges show the picture, and credentials state it. An SVG may contain only plain shapes, so convert its
        text to outlines. Without a picture, badges show the names of the achievement and of the issuer, in the colours
        of the template.
      </p>
    </Guide>
  );
}
