import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "People from files" };

export default function Connectors() {
  return (
    <Guide
      title="People from files"
      lead="A connector takes the people of your registry from its files: send the whole list as often as you like, and only what has changed is written."
    >
      <Heading id="create">Set up a connector</Heading>
      <p>
        A connector has a mapping, which says which column gives which field, and a rule for those whom a file no longer
        lists. Make and change one in the console under Connectors, where a sample of your file shows its first people
        as they will be, or by API.
      </p>
      <Code title="A connector and its first file" code={samples.connector} />
      <Table
        label="What a column can become"
        head={["in the mapping", "what it does"]}
        rows={[
          [<Term key="name">&quot;dept&quot;</Term>, "The cell as it is, without spaces around it."],
          [
            <Term key="values">values</Term>,
            "What each value of the column stands for. A value that is not listed rejects its row.",
          ],
          [
            <Term key="lower">{'"transform": "lower"'}</Term>,
            "In lower case; trim is the same without a change of case.",
          ],
          [
            <Term key="date">{'"transform": "date"'}</Term>,
            "A date in the format that you name. None is guessed: 03/04/2026 is two days, depending on who wrote it.",
          ],
          [
            <Term key="decimal">{'"decimal": ","'}</Term>,
            "Beside trim: a number with this mark before its decimals. None is guessed: 1,234 is two numbers.",
          ],
          [
            <Term key="template">{'"transform": "template"'}</Term>,
            "Text with columns in braces, such as a full name.",
          ],
          [<Term key="constant">{'"transform": "constant"'}</Term>, "The same value for everybody."],
        ]}
      />
      <p>
        An empty cell empties its field: an e-mail address or an attribute is removed. An empty status leaves the status
        as it was. Attributes that the mapping does not name stay.
      </p>
      <Heading id="upload">Send a file</Heading>
      <p>
        The file is the body, or the part <Term>file</Term> of a form, of up to 512 MiB. Its first bytes say what it is;
        its name does not matter. The same forms are taken by SFTP and from an address.
      </p>
      <Table
        label="Forms of files"
        head={["form", "what is read"]}
        rows={[
          [
            "CSV",
            "Separated by commas, semicolons or tabs, in UTF-8; UTF-16 is known by its byte order mark, and settings.encoding names Windows-1252. A file in another encoding than the settings name fails, and nobody is changed.",
          ],
          [
            "XLSX",
            "The first visible sheet, up to 50 MiB; its first row with text names the columns. Dates become YYYY-MM-DD, and of a formula the last value counts. A number of more than 15 digits is shown as Excel has rounded it, so keep long ids as text.",
          ],
          ["JSON lines", "One object on each line, in UTF-8. The mapping names paths such as name.given."],
          ["gzip", "One of the above, packed."],
          ["zip", "One of the above, alone in the archive, without a password."],
          [
            "OneRoster 1.1 and 1.2",
            "The zip with manifest.csv. Its rows are the users, without passwords, with accountStatus (active or inactive) and, where their files are in it whole, role, orgNames and classTitles. An archive of changes takes a connector with mode delta.",
          ],
        ]}
      />
      <p>
        A file has at most 1,000 columns, 5,000,000 rows, 10,000,000 lines and 2 GiB once it is unpacked. An archive
        that unpacks to more, or to a size that no list has, fails the run before anything is applied. The files of a
        connector are applied one after another; up to 50 files of an organisation may wait, and one more is refused
        with 409.
      </p>
      <p>
        The answer is a run, which works in the background. <Term>GET …/runs/{"{run}"}</Term> counts what it created,
        updated and left. Rows that cannot be taken are rejected one by one; the others are applied.{" "}
        <Term>GET …/runs/{"{run}"}/errors</Term> says line, column and reason of each, also as CSV. A file that cannot
        be trusted as a whole, such as one with another header, an unclosed quote or no rows, fails the run, and nobody
        is changed.
      </p>
      <p>
        People are known by the column of <Term>externalId</Term>. The same file sent twice is recognised and does
        nothing. Runs of one connector follow one another.
      </p>
      <Heading id="preview">Look first</Heading>
      <p>
        <Term>POST /v1/connectors/preview</Term> says what a file would do and writes nothing: whom it would create,
        update field by field, leave, deactivate and reject, and whether deactivations would wait for a person. Send{" "}
        <Term>connectorId</Term> or <Term>mapping</Term>, and the file as the part <Term>file</Term> of a form, up to 10
        MiB, or as <Term>content</Term> in JSON. At most 50,000 rows are read. In the console it is the button Preview
        of the upload.
      </p>
      <p>
        <Term>GET …/runs/{"{run}"}/rejected/export</Term> gives the rejected rows as CSV for 7 days, each with what is
        wrong. Correct them and send that file with <Term>mode</Term> <Term>delta</Term>: it lists some people alone,
        and nobody is missing from it. A cell that a spreadsheet would run as a formula begins with an apostrophe there;
        the upload takes it off again. It knows the file by its column What is wrong, so leave that in.
      </p>
      <Heading id="undo">Take a run back</Heading>
      <p>
        For 7 days, <Term>POST …/runs/{"{run}"}/undo</Term>, in the console Undo, takes back what a run did. People whom
        it changed are as before; whom it created is deleted, or deactivated where they hold a credential. Whoever was
        changed since, is in a static group or comes from another source too stays, and counts as <Term>skipped</Term>.
        To take several runs back, undo the newest first. A run is undone once. It takes <Term>connectors:approve</Term>
        .
      </p>
      <Heading id="missing">Who is missing</Heading>
      <Table
        label="What becomes of people whom a file does not list"
        head={["setting", "what happens"]}
        rows={[
          [
            <Term key="delta">{'"mode": "delta"'}</Term>,
            "A file lists those who changed, and nobody is missing from it.",
          ],
          [
            <Term key="keep">{'"missing": "keep"'}</Term>,
            "Who is missing from a full file stays as they are. This is the default.",
          ],
          [
            <Term key="deactivate">{'"missing": "deactivate"'}</Term>,
            "Who is missing from a full file is deactivated, and active again when they are back.",
          ],
        ]}
      />
      <p>
        A connector ends only people whom it provides itself, and whom nobody else keeps active: whoever was added by
        API, in the console, or by another connector that still has them and does not call them inactive, stays. That
        holds for absence, for a status column and for a directory alike. Two connectors may provide one person; where
        both map a field, the one with the lower <Term>priority</Term> writes it, and where both say a status, it
        decides.
      </p>
      <Heading id="held">When a person is asked</Heading>
      <p>
        A broken export must not end half of your people. Up to 10 of them, or 10 % of the active people of the
        connector where that is more, may be deactivated within 24 hours (<Term>limits</Term>); a status column counts
        as absence does. Raising a limit takes <Term>connectors:approve</Term>. Above that, a run applies everything
        else and is <Term>held</Term>: nobody is deactivated until somebody approves. It is held below the limit, too,
        if people are missing and the file has lost a column, its last line end, or the ids of some rows. A file that
        empties a mapped column for at least 5 people, and for nine of ten, waits as a whole: nothing of it is applied
        until somebody approves, and a newer file replaces it.
      </p>
      <p>
        Owners and admins get an e-mail, and the console shows the names. Approve deactivates exactly those who were
        staged; cancel deactivates nobody. If some of them were changed since, the approval is refused with 409 and says
        how many are left. A newer full file replaces a held run.
      </p>
      <Heading id="http">Fetch from an address</Heading>
      <p>
        A connector of the type <Term>http</Term> asks an address for its people, by its <Term>schedule</Term> and with{" "}
        <Term>POST …/sync</Term>. Its settings say the address, how to sign in (<Term>auth</Term>: none, bearer, basic
        or a header of its own), whether it answers with JSON or CSV, where in the JSON the list is (
        <Term>records</Term>), and how its pages follow one another. The mapping names paths such as{" "}
        <Term>emails.0.value</Term>. The <Term>secret</Term> is stored encrypted and never answered.{" "}
        <Term>POST /v1/connectors/test</Term>, in the console Test connection, shows the first people.
      </p>
      <Table
        label="Pages of a list"
        head={["pagination", "how the next page is found"]}
        rows={[
          [<Term key="none">none</Term>, "One answer has everybody: up to 8 MiB of JSON, or 512 MiB of CSV."],
          [<Term key="page">page</Term>, "A number in the address, until a page is empty."],
          [<Term key="cursor">cursor</Term>, "A cursor or an address within the answer, at the path from."],
          [<Term key="link">link</Term>, "The header Link names it."],
        ]}
      />
      <p>
        A fetched list is applied like an uploaded file, with the same limits. A pull that fails applies nothing and
        deactivates nobody: the run says whether the sign-in was refused, the answer broke off or was a web page, or the
        pages changed their size. With <Term>total</Term>, a list that is shorter than the server says fails too. With{" "}
        <Term>{'"mode": "delta"'}</Term>, <Term>since</Term> names the parameter that gets the time of the last pull.
      </p>
      <p>
        A schedule is a cron with a time zone and runs on behalf of the organisation, whoever made it. The runs of a
        connector follow one another; a time at which one is still under way is left out. Private addresses are not
        called unless whoever operates this service allows them.
      </p>
      <Heading id="sftp-fetch">Fetch files by SFTP</Heading>
      <p>
        A connector of the type <Term>sftp</Term> with <Term>{'"direction": "fetch"'}</Term> takes files from a server
        of yours, by its <Term>schedule</Term> and with <Term>POST …/sync</Term>. Its settings say the host, the port,
        the user name, whether the <Term>secret</Term> is a password or a private key (<Term>auth</Term>), and the{" "}
        <Term>path</Term>: a folder, a file, or a pattern such as <Term>/export/people-*.csv</Term>.
      </p>
      <p>
        First approve the server: <Term>POST /v1/connectors/test</Term>, in the console Test connection, shows the
        fingerprint of its key and signs in nowhere. Compare it with the one that the operator of the server tells you,
        then store it as <Term>hostKey</Term>. Without it nothing is fetched. If the server shows another key one day,
        the run fails, nothing is sent to it, and owners and admins get an e-mail.
      </p>
      <p>
        A run takes the oldest file. Names that begin with a point or end with <Term>.part</Term> or <Term>.tmp</Term>{" "}
        are left, and so are links, folders and files that still grow: their size and time must be the same in two
        looks, ten seconds apart. When the run is over, the file is moved to <Term>archive/</Term>, or to{" "}
        <Term>error/</Term> if it could not be applied, with a report beside it. Let the user write there. If the file
        cannot be moved, the run says so and the file is not read twice.
      </p>
      <Heading id="sftp-receive">Send files by SFTP</Heading>
      <p>
        With <Term>{'"direction": "receive"'}</Term>, you send files to the SFTP server of this service, if whoever
        operates it has switched it on. <Term>GET /v1/connectors/{"{id}"}/sftp</Term> and the page of the connector say
        the host, the port, the user name and the fingerprints to compare at the first connection. Sign in with a
        password, which <Term>POST …/sftp/password</Term> answers once, or with one of up to 10 <Term>publicKeys</Term>;
        both at once are possible.
      </p>
      <p>
        A file is taken when its transfer is complete and its name is: send <Term>people.csv.part</Term> and rename it
        to <Term>people.csv</Term>, since some programs also complete a transfer that was stopped. Unfinished files that
        came whole are kept for 24 hours, also for later sessions, at most 20 of them and 1 GiB in all; a file has at
        most 512 MiB. The folders <Term>archive</Term> and <Term>error</Term> hold the reports of the last 40 files. A
        session sees its own files alone, has no shell, makes no folders and no links, and ends after five minutes
        without a request.
      </p>
      <Heading id="scim">A directory over SCIM 2.0</Heading>
      <p>
        A connector of the type <Term>scim</Term> takes people from Entra, Okta, Google, OneLogin, JumpCloud and other
        directories that push them. Make it in the console under Connectors, which tells for each of them what to enter,
        or with <Term>POST /v1/connectors</Term>. The base address is <Term>/scim/v2</Term> for all connections; each
        has tokens of its own, from <Term>POST /v1/connectors/{"{id}"}/tokens</Term>, two of which may live at once
        while one is replaced.
      </p>
      <p>
        A key or OAuth client with the scope <Term>scim</Term> that belongs to no connection uses the default one, which
        is made at its first request. That one sees and may change everybody: whom the API or another source added is a
        user whose <Term>userName</Term> is their external id.
      </p>
      <p>
        People who are here already are taken over where the directory&apos;s <Term>externalId</Term> is theirs. With{" "}
        <Term>adopt: email</Term> they are also found by their e-mail address, and keep the externalId that they have;
        where several people share the address, the directory is answered <Term>409 uniqueness</Term>. With{" "}
        <Term>adopt: never</Term> nobody is taken over.
      </p>
      <p>
        Users and groups are created, changed, listed by filter and removed, alone or up to 500 at a time by{" "}
        <Term>/Bulk</Term>, where a <Term>bulkId</Term> stands for what the same request creates; <Term>/.search</Term>{" "}
        finds both, in one order where <Term>sortBy</Term> says so. Pages are counted by <Term>startIndex</Term>, or
        followed by <Term>cursor</Term> (RFC 9865). Anybody who is deactivated or deleted there is deactivated here
        unless another source keeps them active, and active again once the directory has them back. A status is written
        only when the directory changes it. A password is never stored.
      </p>
      <p>
        A <Term>POST</Term> or <Term>PATCH</Term> of <Term>/Users</Term> and <Term>/Groups</Term> takes an{" "}
        <Term>Idempotency-Key</Term>: a repeat within 24 hours changes nothing and gets the same answer. The key belongs
        to the connection; another one that sends it is answered <Term>422</Term>. <Term>/Bulk</Term> ignores the
        header, since each of its operations is done by itself. A repeat of it creates nobody twice: a{" "}
        <Term>userName</Term> that is there is answered <Term>409 uniqueness</Term>.
      </p>
      <p>
        Entra adds to lists of your own, such as tags, and never removes from them. Name such lists in{" "}
        <Term>settings.replaceOnAdd</Term>: the first <Term>add</Term> of a PATCH then replaces their values.
      </p>
      <p>
        A group of a directory is a static group whose <Term>providedBy</Term> names the connector. Rules and policies
        use it as any other; its name, its people and its deletion are the directory&apos;s, and a change here is
        answered <Term>409 group_provided</Term>. A member whom the directory has not created yet waits and joins then,
        up to 10,000 in a group; more are refused with <Term>400 tooMany</Term>. A group that a policy or a rule names
        outlives its deletion in the directory, without its people, until you delete it or the directory creates it
        again.
      </p>
      <p>
        Deactivations, and removals from groups that a policy uses, count together over 24 hours. Beyond the limit the
        directory is told that it is done, and here it waits: <Term>GET …/staged</Term> lists the people with their
        groups, <Term>POST …/staged/approve</Term> and <Term>…/discard</Term> decide.
      </p>
      <p>
        The pages of a connection in the console show its people and groups, its last requests with what they did or why
        they were refused, and where the directory and this service differ: who is in the directory and not active here,
        who was sent and is gone from the directory, and who was never sent by it.
      </p>
      <Note>
        <p>
          <Term>GET …/runs/{"{run}"}/removals</Term> lists who waits, <Term>POST …/runs/{"{run}"}/approve</Term> and{" "}
          <Term>…/cancel</Term> decide. An approval takes the scope <Term>connectors:approve</Term>, which a key has
          only if somebody chose it. See <To href="/docs/reference">the reference</To> for all fields.
        </p>
      </Note>
    </Guide>
  );
}
