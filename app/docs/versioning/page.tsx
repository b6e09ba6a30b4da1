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
        A client therefore has to ignore unknown fields, and needs a default for unknown values. If a generated client
        refuses unknown fields, turn that off.
      </p>
      <Heading id="never">What never happens</Heading>
      <ul>
        <li>A field of an answer disappears, or becomes null though it never was</li>
        <li>A request of a form that was accepted is refused</li>
        <li>An operation needs another scope than before</li>
      </ul>
      <p>
        A test compares each version of the OpenAPI document with the one before, and refuses such a change. Anything
        that needs one would become <Term>/v2</Term>, next to <Term>/v1</Term>.
      </p>
      <Heading id="data">What the data looks like</Heading>
      <ul>
        <li>Times are RFC 3339 in UTC with milliseconds. Days are days in the organisation’s time zone.</li>
        <li>Ids are opaque strings with a prefix for their kind. They sort by time of creation.</li>
        <li>
          Numbers are sent as JSON numbers. A number beyond ±(2⁵³ − 1) is refused rather than rounded: send it as a
          string.
        </li>
        <li>Attributes, data and metadata come back as you sent them.</li>
      </ul>
      <Note>
        <p>
          The document is at <To href="/openapi.json">/openapi.json</To>. Generate clients from the document of your own
          service: it describes the version that runs there.
        </p>
      </Note>
    </Guide>
  );
}
