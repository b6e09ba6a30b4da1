import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Policies" };

export default function Policies() {
  return (
    <Guide
      title="Policies"
      lead="A policy says who holds a credential. It issues one to everyone who matches its rule, and ends what it issued when they no longer match, but never too many at once."
    >
      <Heading id="define">Define a policy</Heading>
      <p>
        A policy has a template and a rule, in the <To href="/docs/rules">language of rules</To>, or a group. Only
        active people are ever meant. Nothing is issued before you apply the policy, or its schedule comes.
      </p>
      <Code title="A policy, its preview and its first run" code={samples.policy} />
      <Table
        label="What a policy says"
        head={["field", "what it does"]}
        rows={[
          [
            <Term key="onExit">onExit</Term>,
            "What becomes of a credential whose holder no longer matches: suspend (unless you say otherwise), revoke or none.",
          ],
          [
            <Term key="reentry">reentry</Term>,
            "Somebody who matches again gets the suspended credential back (resume), or a new one in its place (reissue).",
          ],
          [
            <Term key="graceDays">graceDays</Term>,
            "How many days pass before onExit takes effect. People in grace are named in a preview, with the day on which it ends.",
          ],
          [
            <Term key="schedule">schedule</Term>,
            "A cron with a time zone. Without one, the policy runs only when you apply it.",
          ],
          [
            <Term key="renewal">renewal</Term>,
            "Extends credentials before they expire, by the template's duration, while their holder matches. before has to be below that duration. Not for academic ones.",
          ],
          [
            <Term key="blastRadius">blastRadius</Term>,
            "How many credentials it may end within 24 hours by itself. Raising it takes policies:approve.",
          ],
        ]}
      />
      <p>
        An end that you know ahead is a rule on a date: <Term>attributes.endDate after now</Term>. A credential that a
        person or the API has ended or suspended is never resumed or issued again by a policy, nor extended where they
        set its end. A policy ends only what it has issued itself, and what was reissued for it. Where two policies
        issue the same template, the second gives back what the first has suspended, and owns it then.
      </p>
      <p>
        Saving a policy answers <Term>matches</Term>: how many active people match its rule, or are in its group, now.
        It is null where you changed neither, or counting took too long. In the console the number stands below the rule
        while you choose its conditions, and a policy can cover the members of a group, or have a condition on groups.
      </p>
      <Heading id="preview">Preview and apply</Heading>
      <p>
        <Term>POST …/preview</Term> counts what an apply would do and lists the people; nothing is written. Its{" "}
        <Term>planHash</Term> names whose credentials would be ended. Send it with <Term>POST …/apply</Term>: where
        somebody else would lose theirs by then, the answer is 409 <Term>plan_changed</Term> and nothing happens. New
        people do not change it.
      </p>
      <p>
        <Term>grace</Term> counts people who no longer match and keep their credential for now; <Term>graceUntil</Term>{" "}
        tells until when. <Term>foreign</Term> counts people whose credential the policy did not issue and never ends.{" "}
        <Term>refusal</Term> says where the template issues nothing, for example because it is archived: an apply then
        still suspends, revokes and gives back.
      </p>
      <p>
        The answer is a run: 200 once it is over, 202 while it goes on in the background. Each credential event names
        the run as its actor, and <Term>policy.applied</Term>, <Term>policy.halted</Term> or <Term>policy.failed</Term>{" "}
        tells what became of it.
      </p>
      <p>
        A step that fails by an error of the service is tried again by itself, ten times within about 20 minutes; then
        the run is <Term>failed</Term> and says so. What earlier steps did stays, and the next run goes on from there. A
        failed run is told on the overview and by e-mail to owners and admins, once until a run ends well.
      </p>
      <Heading id="halt">When too many would lose theirs</Heading>
      <p>
        A feed that breaks must not take everybody&#39;s credential. Within 24 hours a policy ends at most a tenth of
        its credentials, or 500 where that is less; up to five always pass. Above that the run is <Term>halted</Term>:
        nothing is changed, not even issued. A run always halts where nobody matches the rule any more. The run says how
        many are affected, the limit, and what may be the cause, such as an attribute that is missing; owners and admins
        get an e-mail.
      </p>
      <p>
        If the data is wrong, correct it: the next run looks at everybody anew. If it is right, a person with{" "}
        <Term>policies:approve</Term> looks at <Term>…/runs/{"{run}"}/removals</Term> and approves that plan within 24
        hours: <Term>POST …/runs/{"{run}"}/approve</Term> with its <Term>planHash</Term>. A key has this scope only
        where a person named it.
      </p>
      <p>
        The page of a policy shows what its runs of the last 30 days ended, what waited for a person, and today&#39;s
        limit. Each run has a page with the people whose credential it ended.
      </p>
      <Note>
        While the file of a connector waits for a person, policies wait whose people it provides: their run is{" "}
        <Term>waiting</Term>. If it would end other credentials afterwards than the plan that you confirmed, it halts
        with the reason <Term>changed</Term>: look at the names and approve it, or apply the policy again.
      </Note>
      <Heading id="exceptions">Exceptions</Heading>
      <p>
        <Term>PUT …/exceptions/{"{subjectId}"}</Term> grants or denies the credential to one person, with a reason and,
        if you like, an end. It wins over the rule, never over inactive. A denial ends a credential as leaving the rule
        would: after the days of grace, by <Term>onExit</Term>. In the console, exceptions stand on the page of the
        policy: add one, change its reason or end, or end it now. From the next run on the rule decides again.
      </p>
      <Heading id="why">Why somebody holds a credential, or not</Heading>
      <p>
        <Term>GET …/explain/{"{subjectId}"}</Term> says what the policy does for a person and why: each comparison of
        the rule with the value that is recorded, an exception, and the end of grace.{" "}
        <Term>GET /v1/subjects/{"{id}"}/policies</Term> tells the same of every policy for one person, without the
        comparisons.
      </p>
      <p>
        In the console, choose a person under Why on the page of a policy, a person in its preview, a policy on the page
        of a person, or Why beside the policy of a credential. The history of a credential names the run of each step.
      </p>
    </Guide>
  );
}
