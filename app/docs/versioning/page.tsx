import type { Metadata } from "next";
import { Guide, Heading, Note, Term, To } from "../_parts/prose";

export const metadata: Metadata = { title: "Versioning" };

export default function Versioning() {
  return (
    <Guide title="Versioning" lead="Within /v1, things are added. Nothing is removed, and nothing changes its meaning.">
      <Heading id="added">What may be added without notice</Heading>
      <ul>
        <li>Operations, and optional parameters and fields of requests</li>
        <li>Fields of answers and of events</li>
        <li>Values of an enumeration in answers, event types and error codes</li>
        <li>Headers</li>
      </ul>
      <p>
        So a client ignores fields that it does not know, and has a default for values that it does not know. Generated
        clients that refuse unknown fields need that turned off.
      </p>
      <Heading id="never">What never happens</Heading>
      <ul>
        <li>A field of an answer disappears, or is null where it never was</li>
        <li>A request that was accepted is refused for its form</li>
        <li>An operation needs a scope that it did not need</li>
      </ul>
      <p>
        A check compares each version of the OpenAPI document with the one before, and refuses such a change. What could
        not be done without one would become <Term>/v2</Term>, beside <Term>/v1</Term>.
      </p>
      <Heading id="data">What the data looks like</Heading>
      <ul>
        <li>Times are RFC 3339 in UTC with milliseconds. Days are days in the organisation’s time zone.</li>
        <li>Ids are opaque strings with a prefix for their kind, and sort by the time at which they were made.</li>
        <li>Numbers are sent as JSON numbers. One beyond ±(2⁵³ − 1) is refused rather than rounded: send a string.</li>
        <li>What you keep in attributes, data and metadata is given back as it was sent.</li>
      </ul>
      <Note>
        <p>
          The document is at <To href="/openapi.json">/openapi.json</To>. Generate from the copy of your own service: it
          describes the version that runs there.
        </p>
      </Note>
    </Guide>
  );
}
