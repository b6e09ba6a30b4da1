import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Photos" };

export default function Photos() {
  return (
    <Guide
      title="Photos"
      lead="The portrait on employee, student and membership cards. Send it once for a person; every card with a place for it shows it."
    >
      <Heading id="send">Send a photo</Heading>
      <p>
        The file is the body, as JPEG, PNG or WebP, or the part <Term>file</Term> of a <Term>multipart/form-data</Term>{" "}
        form: up to 10 MiB and 64 million pixels, at least 90 × 120. HEIC is refused with 415.
      </p>
      <Code title="By the person's id" code={samples.photo} />
      <p>
        It is turned upright, cropped to 3:4 around the part that draws attention, and stored without any details of the
        file, such as where it was taken. The same photo sent again changes nothing. An <Term>Idempotency-Key</Term>{" "}
        knows a file by its bytes.
      </p>
      <Code title="At a density: 1x is 90 × 120 pixels, 2x 180 × 240, 3x 270 × 360" code={samples.photoShown} />
      <p>
        The answer is WebP where <Term>Accept</Term> names it, else JPEG, with an <Term>ETag</Term>: send it as{" "}
        <Term>If-None-Match</Term> to get 304 while the photo is the same.
      </p>
      <Heading id="card">Put it on a card</Heading>
      <p>
        A field that is bound to <Term>subject.photo</Term> is the place of the photo. Without a position of its own it
        stands beside the name.
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
          ["Your console, GET /v1/subjects/{id}/photo", "Always, for whoever may read people."],
          [
            <>
              The public page, and <Term>subject.photoUrl</Term> of a verification
            </>,
            <>
              Where <Term>publicFields</Term> names the field, until the credential is revoked, replaced or expires. The
              address in <Term>photoUrl</Term> is another one for another photo.
            </>,
          ],
          ["Academic credentials", "Never: they say for ever what was so at their issue."],
          [
            "Events and webhooks",
            <>
              Never; they tell <Term>photoUpdatedAt</Term> and <Term>photoStatus</Term>.
            </>,
          ],
        ]}
      />
      <Heading id="approval">Approval</Heading>
      <p>
        With <Term>photoApproval: true</Term> the cards of a template show a photo only once somebody has approved it:
        in the console under People, or by API. <Term>GET /v1/subjects?awaitsPhotoApproval=true</Term> lists those who
        wait. <Term>POST …/photo/approve</Term> and <Term>…/photo/reject</Term> take the <Term>photoUpdatedAt</Term> of
        the photo that was looked at, so that nobody approves one that was set since. With <Term>photoStatus</Term>, as
        it was read, they are refused with 412 where somebody decided otherwise meanwhile. A rejected photo is on no
        card; another one is pending again.
      </p>
      <Note>
        <p>
          <Term>DELETE /v1/subjects/{"{id}"}/photo</Term> and an erasure take a photo off every card and page at once;
          its files are deleted within two hours. See <To href="/docs/reference">the reference</To> for all fields.
        </p>
      </Note>
    </Guide>
  );
}
