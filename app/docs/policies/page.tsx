import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Policies" };

export default function Policies() {
  return (
    <Guide
      title="Policies"
      lead="A policy says who holds a credential. It issues one to everyone who matches its rule, and ends those credentials when their holders no longer match, but never too many at once."
    >
      <Heading id="define">Define a policy</Heading>
      <p>
        A policy has a template and a rule, in the <To href="/docs/rules">language of rules</To>, or a group. It covers
        only active people. Nothing is issued until you apply the policy, or until its schedule runs it.
      </p>
      <Code title="A policy, its preview and its first run" code={samples.policy} />
      <Table
        label="Fields of a policy"
        head={["field", "what it does"]}
        rows={[
          [
            <Term key="onExit">onExit</Term>,
            "What happens to a credential whose holder no longer matches: suspend (the default), revoke or none.",
          ],
          [
            <Term key="reentry">reentry</Term>,
            "What happens when the holder of a suspended credential matches again: the credential is resumed (resume), or replaced by a new one (reissue).",
          ],
          [
            <Term key="graceDays">graceDays</Term>,
            "How many days of grace pass before onExit takes effect. A preview lists the people in grace, with the day on which it ends.",
          ],
          [
            <Term key="schedule">schedule</Term>,
            "A cron expression with a time zone. Without a schedule, the policy runs only when you apply it.",
          ],
          [
            <Term key="renewal">renewal</Term>,
            "Extends credentials before they expire, by the template's duration, while their holder matches. before has to be below that duration. Not for academic ones.",
          ],
          [
            <Term key="blastRadius">blastRadius</Term>,
            "How many credentials the policy may end within 24 hours without approval. Raising it needs policies:approve. A change keeps the member that you leave out.",
          ],
        ]}
      />
      <p>
        If you know the end in advance, use a rule on a date: <Term>attributes.endDate after now</Term>. If a person or
        the API has ended or suspended a credential, a policy never resumes or reissues it. If they set its expiry, a
        policy never extends it. A policy ends only credentials that it issued, and their reissues. If two policies
        issue the same template, the second resumes what the first has suspended, and owns that credential from then on.
      </p>
      <p>
        The answer to saving a policy has <Term>matches</Term>: how many active people match its rule, or are in its
        group, now. It is null if you changed neither, or if counting took too long. The console shows the number below
        the rule while you choose conditions. A policy can cover the members of a group, or have a condition on groups.
      </p>
      <Heading id="preview">Preview and apply</Heading>
      <p>
        <Term>POST …/preview</Term> counts what an apply would do and lists the people; nothing is written. Its{" "}
        <Term>planHash</Term> identifies the set of credentials that would be ended. Send it with{" "}
        <Term>POST …/apply</Term>: if the apply would by then end any other credential, the answer is 409{" "}
        <Term>plan_changed</Term> and nothing happens. New people do not change the hash. If some of the people match
        again, the rest of the plan is applied; a plan of more than 500 removals is refused then, and must be previewed
        again.
      </p>
      <p>
        <Term>grace</Term> counts people who no longer match and keep their credential for now; <Term>graceUntil</Term>{" "}
        says until when. <Term>exception</Term> is what somebody decided for a person. <Term>foreign</Term> counts
        people whose credential the policy did not issue and so never ends. If the template issues nothing, for example
        because it is archived, <Term>refusal</Term> says so. An apply then still suspends, revokes and resumes.
      </p>
      <p>
        The answer is a run: 200 if it has finished, 202 if it continues in the background. Each credential event names
        the run as its actor. When the run ends, it emits <Term>policy.applied</Term>, <Term>policy.halted</Term> or{" "}
        <Term>policy.failed</Term>.
      </p>
      <p>
        If a step fails because of an error of the service, it is retried automatically, ten times within about 20
        minutes. After that the run is <Term>failed</Term>. The effects of earlier steps stay, and the next run
        continues from there. The overview shows a failed run, and owners and admins get an e-mail. Further failures
        send no e-mail until a run has succeeded again.
      </p>
      <Heading id="halt">When too many credentials would end</Heading>
      <p>
        A broken feed must not end everybody&#39;s credential. Unless you set another limit, a policy ends at most a
        tenth of its credentials within 24 hours, and at most 500. The tenth is of those who held one when the 24 hours
        began, so that new people do not raise the limit for the others. Up to five are always within the limit. Above
        it the run is <Term>halted</Term>: it changes nothing, and issues nothing either. A run also halts if nobody
        matches the rule any more. A halted run says how many credentials it would end, the limit, and possible causes:
        an attribute that is missing or has another value, a group that people have left, people who are inactive,
        exceptions that ended, a rule that was changed, a connector that has long not succeeded. Owners and admins get
        an e-mail.
      </p>
      <p>
        If the data is wrong, correct it: the next run evaluates everybody anew. If the data is right, a person with{" "}
        <Term>policies:approve</Term> reads <Term>…/runs/{"{run}"}/removals</Term> and approves that plan within 24
        hours: <Term>POST …/runs/{"{run}"}/approve</Term> with its <Term>planHash</Term>. A key has this scope only if
        somebody chose it by name.
      </p>
      <p>
        The page of a policy shows how many credentials its runs of the last 30 days ended, which runs waited for
        approval, and today&#39;s limit. Each run has a page with the people whose credentials it ended.
      </p>
      <Note>
        While a connector’s file waits for approval or is being applied, policies about the people of that connector
        wait too: their run is <Term>waiting</Term>. So nobody loses a credential whom a file has taken out of one group
        and not yet put into the next. If the run would then end other credentials than the plan that you confirmed, it
        halts with the reason <Term>changed</Term>. Look at the names and approve the run, or apply the policy again. If
        you change the policy while its run waits, the run uses the policy as it is then; a run with a{" "}
        <Term>planHash</Term> fails with <Term>plan_changed</Term>. A halted run is not approved while a file waits or
        is being applied.
      </Note>
      <Heading id="exceptions">Exceptions</Heading>
      <p>
        <Term>PUT …/exceptions/{"{subjectId}"}</Term> grants or denies the credential to one person, with a reason and,
        if you like, an end. An exception wins over the rule, but an inactive person gets nothing. A denial ends a
        credential as if the person no longer matched the rule: after the days of grace, by <Term>onExit</Term>. In the
        console, exceptions are on the page of the policy: add one, change its reason or end date, or end it now. After
        its end, the next run decides by the rule again.
      </p>
      <Heading id="why">Why somebody holds a credential, or not</Heading>
      <p>
        <Term>GET …/explain/{"{subjectId}"}</Term> says what the policy does for a person and why: each comparison of
        the rule with the recorded value, an exception, and the end of grace.{" "}
        <Term>GET /v1/subjects/{"{id}"}/policies</Term> says the same for every policy, without the comparisons.
      </p>
      <p>
        The console explains it in four places: choose a person under Why on the page of a policy, a person in its
        preview, a policy on the page of a person, or Why next to the policy of a credential. The history of a
        credential names the run of each step.
      </p>
    </Guide>
  );
}
