import type { Metadata } from "next";
import { namedScopes } from "@/server/core/scopes";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term } from "../_parts/prose";
import { oauth, samples, setUp } from "../_samples";
import { scopesByArea } from "./areas";

export const metadata: Metadata = { title: "Authentication" };

const named = scopesByArea.flatMap(({ some }) => some.filter((scope) => namedScopes.includes(scope)));

export default function Authentication() {
  return (
    <Guide
      title="Authentication"
      lead="Every request under /v1 carries a bearer token: an API key, or an OAuth access token. Both work at every endpoint."
    >
      <Heading id="keys">API keys</Heading>
      <p>
        A key belongs to one organisation and has the scopes that you chose for it. Its secret begins with{" "}
        <Term>svc_sk_live_</Term> and is shown once. Send it in the Authorization header:
      </p>
      <Code title="Your shell" code={setUp} />
      <Code title="GET /v1/me: whose token it is, and what it may do" code={samples.me} />
      <p>
        Keep keys on servers. A revoked key is refused from the next request on. Work that it started, such as a bulk
        job, stops before the next row.
      </p>
      <Heading id="oauth">OAuth clients</Heading>
      <p>
        If tokens have to be short-lived, create an OAuth client in the console. It exchanges its id and secret for a
        token that lasts 15 minutes (client credentials, RFC 6749) and has those of its scopes that you ask for. A
        client can have two secrets at a time, so that you can replace one without downtime.
      </p>
      <Code title="POST /oauth/token" code={oauth} />
      <Heading id="scopes">Scopes</Heading>
      <p>
        A token without the scope that an operation needs gets 403 <Term>insufficient_scope</Term>, which names it. The
        reference shows the scopes of each operation. Some operations need two: whatever returns data about people also
        needs <Term>subjects:read</Term>. Give each system its own key, with only the scopes that it needs.
      </p>
      <Table
        label="Scopes"
        head={["Area", "Scopes"]}
        rows={scopesByArea.map(({ name, some }) => [
          name,
          <span key={name} className="flex flex-wrap gap-1.5">
            {some.map((scope) => (
              <Term key={scope}>{scope}</Term>
            ))}
          </span>,
        ])}
      />
      <p>
        {named.map((scope) => (
          <Term key={scope}>{scope}</Term>
        ))}{" "}
        is in a key only if somebody chose it by name.
      </p>
      <Heading id="limits">Limits</Heading>
      <p>
        Requests are counted per minute for each token. <Term>RateLimit</Term> in every answer says how many are left.
        Above the limit the answer is 429 with <Term>Retry-After</Term>, in seconds.
      </p>
      <Note>
        <p>Public verification, at /public, needs no token, and scripts of any site may call it.</p>
      </Note>
    </Guide>
  );
}
