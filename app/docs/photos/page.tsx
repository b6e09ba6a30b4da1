import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Photos" };

export default function Photos() {
  return (
    <Guide
      title="Photos"
      lead="The portrait on employee, student and membership cards. Send it once for a person: every card with a field for a photo shows it."
    >
      <Heading id="send">Send a photo</Heading>
      <p>
        The file is the body, as JPEG, PNG or WebP, or the part <Term>file</Term> of a <Term>multipart/form-data</Term>{" "}
        form: up to 10 MiB and 64 million pixels, at least 90 × 90. HEIC is refused with 415.
      </p>
      <Code title="By the person's id" code={samples.photo} />
      <p>
        The photo is turned upright, cropped to 3:4 around its most salient part, and stored without metadata, such as
        where it was taken. Sending the same photo again changes nothing. An <Term>Idempotency-Key</Term> identifies a
        file by its bytes.
      </p>
      <Code title="At a density: 1x is 90 × 120 pixels, 2x 180 × 240, 3x 270 × 360" code={samples.photoShown} />
      <p>
        The answer is WebP if <Term>Accept</Term> names it, and JPEG otherwise. It has an <Term>ETag</Term>: send that
        as <Term>If-None-Match</Term> to get 304 while the photo is the same.
      </p>
      <Heading id="archive">Send many at once</Heading>
      <p>
        <Term>POST /v1/photo_imports</Term> takes a ZIP of up to 512 MiB and 10,000 photos, as the body (
        <Term>application/zip</Term>) or as the part <Term>file</Term> of a form. Each file is named by the external id
        of its person, such as <Term>s-1001.jpg</Term>; folders do not matter. In the console: People, “Photos from a
        ZIP”. The answer is 202 with an import that works in the background; <Term>GET /v1/photo_imports/{"{id}"}</Term>{" "}
        tells how far it is, and <Term>POST …/cancel</Term> stops it.
      </p>
      <ul>
        <li>Each photo is set as above: the same limits, the same event, the same approval.</li>
        <li>
          A photo that is set already is counted as <Term>unchanged</Term> and writes nothing. So an archive can be sent
          again.
        </li>
        <li>
          A file that becomes nobody’s photo is rejected with a reason and harms no other: <Term>GET …/rejected</Term>,
          or <Term>GET …/rejected/export</Term> as CSV. Of two files with one id, both are rejected.
        </li>
        <li>
          Upper and lower case count only where several people or files differ in nothing else. Accents may be composed
          or decomposed. Files that macOS and Windows add, such as <Term>__MACOSX</Term>, are passed over.
        </li>
        <li>
          An archive that is damaged, has a password or names paths outside of it is refused at once with 400. A server
          that is stopped in the middle goes on where it was.
        </li>
      </ul>
      <Heading id="card">Put it on a card</Heading>
      <p>
        A field that is bound to <Term>subject.photo</Term> shows the photo. Without a position of its own, the photo is
        next to the name.
      </p>
      <Code
        title="A template whose cards show approved photos, to everyone who verifies"
        code={samples.photoTemplate}
      />
      <Heading id="seen">Who sees it</Heading>
      <Table
        label="Who sees a photo"
        head={["where", "when"]}
        rows={[
          ["Your console, GET /v1/subjects/{id}/photo", "Always, for everybody who may read people."],
          [
            <>
              The public page, and <Term>subject.photoUrl</Term> of a verification
            </>,
            <>
              If <Term>publicFields</Term> names the field, until the credential is revoked, replaced or expires. Each
              photo has its own address in <Term>photoUrl</Term>.
            </>,
          ],
          ["Academic credentials", "Never: they state permanently what was true when they were issued."],
          [
            "Events and webhooks",
            <>
              Never; they have <Term>photoUpdatedAt</Term> and <Term>photoStatus</Term>.
            </>,
          ],
        ]}
      />
      <Heading id="approval">Approval</Heading>
      <p>
        With <Term>photoApproval: true</Term> the cards of a template show a photo only once somebody has approved it:
        in the console under People, or by API. <Term>GET /v1/subjects?awaitsPhotoApproval=true</Term> lists people
        whose photo is pending. <Term>POST …/photo/approve</Term> and <Term>…/photo/reject</Term> take the{" "}
        <Term>photoUpdatedAt</Term> of the photo that you looked at, so that you cannot approve a newer one by mistake.
        If you also send <Term>photoStatus</Term> as you read it, they are refused with 412 if somebody has decided
        otherwise meanwhile. No card shows a rejected photo; a new photo is pending again.
      </p>
      <Note>
        <p>
          <Term>DELETE /v1/subjects/{"{id}"}/photo</Term> and an erasure remove a photo from every card and page at
          once. Its files are deleted within two hours. See <To href="/docs/reference">the reference</To> for all
          fields.
        </p>
      </Note>
    </Guide>
  );
}
