import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Lists and pages" };

export default function Pagination() {
  return (
    <Guide
      title="Lists and pages"
      lead="Every list is an object with data and nextCursor. Follow the cursor until it is null."
    >
      <Code title="All people, a hundred at a time" code={samples.pages} />
      <Heading id="cursors">Cursors</Heading>
      <p>
        A cursor marks a place in the list, so rows that are added meanwhile make no row appear twice or go missing.
        Send it with the same filters and the same sort: with others the answer is 400 <Term>invalid_cursor</Term>.
        Treat it as opaque. <Term>limit</Term> is 1 to 100, by default 25.
      </p>
      <Heading id="offsets">Offsets</Heading>
      <p>
        For a table with numbered pages, send <Term>offset</Term> in place of a cursor. The answer then has{" "}
        <Term>total</Term>. Counting takes time in a long list; a cursor does not count.
      </p>
      <Heading id="filters">Filters and order</Heading>
      <p>
        Separate several values of a filter by commas. <Term>sort</Term> names a field, with <Term>-</Term> before it
        for descending. An unknown parameter is refused, and the answer lists the known ones.
      </p>
      <Code title="GET /v1/credentials, narrowed" code={samples.changes} />
      <Note>
        <p>
          To follow all changes, do not poll lists. Receive <To href="/docs/webhooks">webhooks</To>, or read the event
          log from the last sequence that you know.
        </p>
      </Note>
    </Guide>
  );
}
