import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Template designs" };

export default function Templates() {
  return (
    <Guide
      title="Template designs"
      lead="What a card looks like, front and back, and which parts the public sees. The designer in the console writes the same JSON as this API."
    >
      <Heading id="card">A card with two sides</Heading>
      <Code title="A whole row on the back, and half rows on the front" code={samples.twoSided} />
      <p>
        A field is bound to <Term>subject.*</Term>, <Term>attributes.*</Term> or <Term>credential.*</Term>, or it has a
        fixed <Term>text</Term>. <Term>label</Term> and <Term>text</Term> are either one text, or one text per language
        tag. Public pages are in German for browsers that ask for it, and else in English. Wallet passes and files are
        in the organisation’s language. If a language is missing, its readers get English, or else the first by its tag.
        Bonafide’s own words, such as “Valid through”, exist in English and German. A side has at most 40 fields.
      </p>
      <Heading id="place">Where a field stands</Heading>
      <Table
        label="Places of fields"
        head={["property", "place"]}
        rows={[
          [
            "Neither",
            "In order. The front shows the first 4 that have a value, and the back uses half a row for each.",
          ],
          [
            <>
              <Term>width</Term>: quarter, third, half, full
            </>,
            "In order, in rows of twelve columns: 2 rows on the front, 5 on the back. Fields that do not fit are left out.",
          ],
          [
            <>
              <Term>position</Term>
            </>,
            "At a fixed place in a grid of 12 columns and 24 rows, counted from 1 at the top left.",
          ],
        ]}
      />
      <Heading id="format">How a value is written</Heading>
      <Table
        label="Formats"
        head={["format", "shows"]}
        rows={[
          ["text, uppercase", "The value as it is, or in capitals."],
          [
            "date, date_short, month, year",
            "19 January 2029, 19/01/2029, January 2029, 2029, as the organisation’s region writes them.",
          ],
          ["datetime, number", "A time with its zone; a number with separators."],
        ]}
      />
      <p>
        Data that is sent at issue must fit the format of its field, or the answer is 400 with a pointer to the value.
      </p>
      <Heading id="look">Colours, typeface, pictures</Heading>
      <p>
        <Term>font</Term> is <Term>sans</Term> (Inter) or <Term>serif</Term> (Noto Serif); both come with the service.{" "}
        <Term>logo</Term>, <Term>front.background</Term> and <Term>back.background</Term> are data URLs of a PNG, JPEG
        or WebP: a logo of up to 128 KiB, a background of up to 384 KiB. The designer shrinks larger files, and warns of
        colours with less contrast than WCAG 2.2 asks for.
      </p>
      <Heading id="public">What the public sees</Heading>
      <p>
        Only fields that <Term>publicFields</Term> names, on either side. A back without public fields is not shown to
        the public. Wallet passes show the public fields of the back on the back of the pass; the phone chooses
        positions and typeface. The PDF of an academic credential has one side.
      </p>
      <Note>
        <p>
          A published version never changes. A new version applies to credentials that are issued from then on.{" "}
          <Term>
            POST /v1/templates/{"{id}"}/versions/{"{version}"}/apply
          </Term>{" "}
          with <Term>expectedCount</Term> shows it on the live credentials too. That is a bulk job, which emits one{" "}
          <Term>credential.updated</Term> for each of them. Academic credentials keep the version that they were issued
          from. The console compares two versions side by side. See <To href="/docs/reference">the reference</To> for
          all fields, and <To href="/docs/photos">Photos</To>.
        </p>
      </Note>
    </Guide>
  );
}
