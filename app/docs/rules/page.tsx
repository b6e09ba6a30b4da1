import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term } from "../_parts/prose";
import { samples } from "../_samples";
import { limits } from "./limits";

export const metadata: Metadata = { title: "Groups and rules" };

export default function Rules() {
  return (
    <Guide
      title="Groups and rules"
      lead="A static group has the members that you add. A rule group has everyone who matches its rule."
    >
      <Code title="A class, and whoever is in it and active" code={samples.groups} />
      <p>
        One request adds or removes up to {limits.members} people, by id or by externalId. Each change emits one{" "}
        <Term>group.members_added</Term> or <Term>group.members_removed</Term>, with the count and the first 100 ids. A
        rule group is evaluated when its rule is saved and every five minutes. In an organisation of more than 20,000
        people, the first evaluation goes on after saving: <Term>evaluatedAt</Term> is null until the members are
        complete. A rule that takes more than four seconds for 20,000 people is refused. If a rule becomes that slow
        later, because people’s data changed, <Term>evaluationProblem</Term> says <Term>too_costly</Term>, and the group
        is evaluated less and less often. An organisation has at most {limits.ruleGroups} rule groups.
      </p>
      <Heading id="language">The language of rules</Heading>
      <p>
        A rule is JSON: one comparison, or <Term>all</Term>, <Term>any</Term> or <Term>not</Term> of further rules, at
        most {limits.depth} levels deep and {limits.comparisons} comparisons. A comparison has a <Term>field</Term>, an{" "}
        <Term>op</Term> and a <Term>value</Term>. Fields are <Term>status</Term>, <Term>email</Term>,{" "}
        <Term>externalId</Term>, <Term>displayName</Term>, <Term>groups</Term> and <Term>attributes.</Term> with a path,
        such as <Term>attributes.address.city</Term>.
      </p>
      <Table
        label="Comparisons"
        head={["op", "Compares", "Example value"]}
        rows={[
          [<Term key="o">eq, ne</Term>, "Equal, or not equal", <Term key="v">"Physics", 3, true</Term>],
          [<Term key="o">in, notIn</Term>, "In a list, or not in it", <Term key="v">["Physics", "Biology"]</Term>],
          [
            <Term key="o">startsWith, endsWith</Term>,
            "The beginning or end of a text",
            <Term key="v">"@example.edu"</Term>,
          ],
          [
            <Term key="o">contains</Term>,
            "Part of a text, an item of a list, or a group that the person is in",
            <Term key="v">"grp_…"</Term>,
          ],
          [<Term key="o">exists</Term>, "Whether there is a value at all", <Term key="v">true, false</Term>],
          [<Term key="o">gt, gte, lt, lte</Term>, "Numbers", <Term key="v">2</Term>],
          [
            <Term key="o">before, after</Term>,
            "Dates and times, also relative to now, in h, d, w, mo or y",
            <Term key="v">"2026-09-30", "now-30d"</Term>,
          ],
        ]}
      />
      <p>
        A list holds at most {limits.values} values, and a text {limits.text} characters; for <Term>startsWith</Term>,{" "}
        <Term>endsWith</Term> and <Term>contains</Term> {limits.pattern}. All texts for <Term>contains</Term> in one
        rule together have at most {limits.patterns} characters.
      </p>
      <Note>
        <p>
          A value that is missing, null or of another type never matches, negated or not: <Term>ne</Term>,{" "}
          <Term>notIn</Term> and <Term>not</Term> leave those people out too. So a feed that loses a column, or sends
          numbers as text, never makes a rule match more people. To match people without a value, use{" "}
          <Term>exists</Term> with <Term>false</Term>.
        </p>
      </Note>
      <Heading id="times">Dates</Heading>
      <p>
        A date without a time is the start of its day in the organisation’s time zone, and days are counted on that
        zone’s calendar. For a field with the last day, <Term>after now-1d</Term> therefore matches through that day,
        and <Term>after now</Term> only until it begins. A time needs its zone: <Term>2026-09-30T12:00:00Z</Term>.
      </p>
      <Heading id="text">Text and groups</Heading>
      <p>
        Text compares exactly, including upper and lower case. Only e-mail addresses ignore case. With{" "}
        <Term>contains</Term>, <Term>in</Term>, <Term>notIn</Term> and <Term>exists</Term>, a rule can ask for static
        groups, but not for groups that have a rule themselves. A group that a rule names cannot be deleted.
      </p>
      <p>
        When a person is erased, rules are not rewritten. The person matches no rule any more, but a rule that contains
        their externalId, name or e-mail address still contains it. Change it with{" "}
        <Term>PATCH /v1/groups/{"{id}"}</Term>.
      </p>
      <p>
        An invalid rule is refused with a JSON pointer to each mistake, such as <Term>/rule/all/1/op</Term>.{" "}
        <Term>POST /v1/groups/preview</Term> checks a rule, counts the people who match it, and writes nothing.
      </p>
    </Guide>
  );
}
