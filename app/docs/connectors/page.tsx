import type { Metadata } from "next";
import { Code } from "../_parts/code";
import { Guide, Heading, Note, Table, Term, To } from "../_parts/prose";
import { samples } from "../_samples";

export const metadata: Metadata = { title: "Connectors" };

export default function Connectors() {
  return (
    <Guide
      title="Connectors"
      lead="A connector takes people from your own systems: from files, from an address that it fetches, or from a directory over SCIM. Send the whole list as often as you like; only changes are written."
    >
      <Heading id="create">Set up a connector</Heading>
      <p>
        A connector has a mapping, which says which column gives which field, and a setting for people whom a file no
        longer lists. Create and change it by API, or in the console under Connectors: there, a sample of your file
        shows its first people as they will be stored.
      </p>
      <Code title="A connector and its first file" code={samples.connector} />
      <Table
        label="What a column can become"
        head={["in the mapping", "what it does"]}
        rows={[
          [<Term key="name">&quot;dept&quot;</Term>, "The value of the cell, without surrounding spaces."],
          [
            <Term key="values">values</Term>,
            "Translates each value of the column. A row with a value that is not listed is rejected.",
          ],
          [<Term key="lower">{'"transform": "lower"'}</Term>, "In lower case. trim keeps the case."],
          [
            <Term key="date">{'"transform": "date"'}</Term>,
            "A date in the format that you name. The format is not guessed, because 03/04/2026 can mean two days.",
          ],
          [
            <Term key="decimal">{'"decimal": ","'}</Term>,
            "With trim: a number with this decimal separator. The separator is not guessed, because 1,234 can mean two numbers.",
          ],
          [
            <Term key="template">{'"transform": "template"'}</Term>,
            "Text with columns in braces, such as a full name.",
          ],
          [<Term key="constant">{'"transform": "constant"'}</Term>, "The same value for everybody."],
        ]}
      />
      <p>
        An empty cell clears its field, such as an e-mail address or an attribute. An empty status leaves the status
        unchanged. Attributes that the mapping does not name stay unchanged.
      </p>
      <Heading id="groups">Groups in a file</Heading>
      <p>
        <Term>{'"groups": ["class"]'}</Term> names columns whose values are names of groups, such as classes. With{" "}
        <Term>{'{"from": "class", "separator": ";"}'}</Term> a cell names several, up to 100 for a person. A person
        joins the groups that their row names and leaves those that it names no more; an empty cell ends all of them.
        Case does not matter, and a group that does not exist is created. You can rename a group here: the connector
        keeps it under the name in the file. <Term>fedBy</Term> of a group names the connectors whose files name it.
        Rule groups, and groups that a directory provides, are left alone.
      </p>
      <p>
        A connector ends only memberships that it gave. Whoever was a member before, or whom another connector lists in
        the group, stays. Who is missing from a full file leaves the groups where <Term>missing</Term> is{" "}
        <Term>deactivate</Term>. Where a policy depends on a group, ends of memberships of active people count against
        the limit of deactivations and wait with them. A file that names more than 5,000 groups fails: it is read from
        the wrong column. A rejected row changes no groups.
      </p>
      <Heading id="upload">Send a file</Heading>
      <p>
        Send the file as the body, or as the part <Term>file</Term> of a form, up to 512 MiB. Its first bytes determine
        its format; its name does not matter. SFTP and fetching from an address accept the same formats.
      </p>
      <Table
        label="File formats"
        head={["format", "what is read"]}
        rows={[
          [
            "CSV",
            "Separated by commas, semicolons or tabs, in UTF-8; UTF-16 is recognised by its byte order mark, and Windows-1252 is set with settings.encoding. A file in another encoding than the settings say fails the run, and nobody is changed.",
          ],
          [
            "XLSX",
            "The first visible sheet, up to 50 MiB; its first row with text names the columns. Dates become YYYY-MM-DD, and a formula counts with its last value. Excel rounds numbers of more than 15 digits, so keep long ids as text.",
          ],
          ["JSON lines", "One object on each line, in UTF-8. The mapping names paths such as name.given."],
          ["gzip", "One of the above, compressed."],
          [
            "PGP",
            "One of these forms, encrypted to the key of the connector, binary or armoured, up to 512 MiB once it is decrypted.",
          ],
          ["zip", "One of the above as the only file in the archive, without a password."],
          [
            "OneRoster 1.1 and 1.2",
            "The zip with manifest.csv. Its rows are the users, without passwords, with accountStatus (active or inactive). If the archive has the complete files for them, also role, orgNames and classTitles. An archive of changes needs a connector with mode delta.",
          ],
        ]}
      />
      <p>
        A file has at most 1,000 columns, 5,000,000 rows, 10,000,000 lines and 2 GiB once it is unpacked. An archive
        that unpacks to more, or to an implausible size, fails the run before anything is applied. The files of a
        connector are applied one after another. Up to 50 files of an organisation may wait; one more is refused with
        409.
      </p>
      <p>
        The answer is a run, which works in the background. <Term>GET …/runs/{"{run}"}</Term> counts the people whom it
        created, updated and left unchanged. Invalid rows are rejected one by one; the others are applied.{" "}
        <Term>GET …/runs/{"{run}"}/errors</Term> lists the line, column and reason of each, also as CSV. If the file as
        a whole cannot be trusted, for example because of another header, an unclosed quote or no rows, the run fails
        and nobody is changed. Each event of a person or group that a run changed names the run as its actor.
      </p>
      <p>
        People are identified by the column of <Term>externalId</Term>. A file that is sent twice is recognised, and the
        second run does nothing.
      </p>
      <Heading id="pgp">Encrypted files</Heading>
      <p>
        <Term>pgpKey</Term> gives a connector of type csv or sftp an OpenPGP private key with its passphrase; it is
        never returned. <Term>pgp</Term> has the fingerprint and the public key for senders, and the console shows them.
        A file is decrypted as a whole before anything of it is read. One that is encrypted to another key or with a
        password, is cut off or was altered, or whose encryption has no protection against changes (MDC), fails, and
        nobody is changed. Signatures are not checked.
      </p>
      <Heading id="preview">Preview</Heading>
      <p>
        <Term>POST /v1/connectors/preview</Term> says what a file would do and writes nothing: whom it would create,
        update (field by field), leave unchanged, deactivate and reject, and whether deactivations would wait for
        approval. Send <Term>connectorId</Term> or <Term>mapping</Term>, and the file as the part <Term>file</Term> of a
        form, up to 10 MiB, or as <Term>content</Term> in JSON. At most 50,000 rows are read. In the console, use the
        button Preview of the upload.
      </p>
      <p>
        <Term>GET …/runs/{"{run}"}/rejected/export</Term> returns the rejected rows as CSV for 7 days, each with its
        error. Correct them and send that file: people who are not in it are left alone. Rows that repeat the id of an
        earlier row are not in that file, because the first row of an id counts; neither is a last row that may be cut
        off. Both are in the list of errors. In this file, a cell that a spreadsheet would run as a formula starts with
        an apostrophe; the upload removes it again. The upload recognises the file by its column What is wrong, so leave
        that column in.
      </p>
      <Heading id="undo">Undo a run</Heading>
      <p>
        For 7 days, <Term>POST …/runs/{"{run}"}/undo</Term>, or Undo in the console, reverses a run. People whom it
        changed get their former values, and memberships that it gave or ended are restored. People whom it created are
        deleted, or deactivated if they hold a credential; the next file that lists them creates them anew or makes them
        active. A newer file that lists somebody without a change does not protect them. People who were changed since
        then, were put into a static group otherwise or also come from another source are left alone and counted as{" "}
        <Term>skipped</Term>. To undo several runs, start with the newest. A run can be undone once. Undoing needs{" "}
        <Term>connectors:approve</Term>.
      </p>
      <Heading id="missing">People missing from a file</Heading>
      <Table
        label="What happens to people whom a file does not list"
        head={["setting", "what happens"]}
        rows={[
          [
            <Term key="delta">{'"mode": "delta"'}</Term>,
            "A file lists only people who changed. Everybody else is left alone.",
          ],
          [
            <Term key="keep">{'"missing": "keep"'}</Term>,
            "People missing from a full file stay unchanged. This is the default.",
          ],
          [
            <Term key="deactivate">{'"missing": "deactivate"'}</Term>,
            "People missing from a full file are deactivated, and active again once a file of any connector lists them.",
          ],
        ]}
      />
      <p>
        If a row names a person whom another source made, it takes that person over if the id in the file is their{" "}
        <Term>externalId</Term>. With <Term>adopt: email</Term>, a row whose id nobody has is also matched by e-mail
        address: the person keeps their externalId, and the connector remembers its own id for them. If several people
        or several rows of the file have the address, the row is rejected. With <Term>adopt: never</Term>, rows about
        people of other sources are rejected.
      </p>
      <p>
        A connector deactivates only people whom it provides itself, and whom no other source keeps active. A person
        stays active if they were added by API, in the console, or by another connector that still lists them and does
        not call them inactive. This applies to absence from a file, to a status column and to a directory. Two
        connectors may provide one person. If both give a field a value, the one with the lower <Term>priority</Term>{" "}
        number writes it, even while it is paused; if both give a status, that one decides. A file counts for every
        field that it maps: an empty cell clears the field. A directory counts for the fields that it gives a value. A
        connector that no longer lists a person decides nothing about them.
      </p>
      <p>
        A directory writes what a request changes, so that its older values do not replace newer ones of another source.
        If it repeats a value, by a PATCH that names the attribute or by a PUT of the whole user as it was, the value is
        written again, also <Term>active</Term>: Force Sync in Okta restores what was changed here. If it withdraws a
        value, the field stays if another directory gives it a value or a file maps it. Otherwise it is cleared.
      </p>
      <Heading id="held">When a run waits for approval</Heading>
      <p>
        A broken export must not deactivate half of your people. Within 24 hours, a connector may deactivate up to 10
        people or 10 % of its active people, whichever is more (<Term>limits</Term>). Deactivations by a status column
        count too. Raising a limit needs <Term>connectors:approve</Term>. Above the limit, a run applies everything else
        and is <Term>held</Term>: nobody is deactivated until somebody approves. A run is also held below the limit if
        it would deactivate somebody and the file has lost a column that the last one had; and if people are missing and
        the file has lost its last line end, or the ids of some rows, or if its last id may be cut off. If a file clears
        a mapped field for at least 5 people and nine out of ten, it is held as a whole: nothing of it is applied until
        somebody approves, and a newer file replaces it.
      </p>
      <p>
        Owners and admins get an e-mail, and the console shows the names. Approving deactivates exactly the people
        listed; cancelling deactivates nobody. If some of them have changed since, the approval is refused with 409,
        which says how many are left; while a newer file is applied, it is refused until that is done. A newer full file
        replaces a held run.
      </p>
      <Heading id="http">Fetch from an address</Heading>
      <p>
        A connector of the type <Term>http</Term> fetches people from an address, by its <Term>schedule</Term> and on{" "}
        <Term>POST …/sync</Term>. Its settings have the address, how to sign in (<Term>auth</Term>: none, bearer, basic
        or a custom header), whether the answer is JSON or CSV, where in the JSON the list is (<Term>records</Term>),
        and how the list is paged. The mapping names paths such as <Term>emails.0.value</Term>. The <Term>secret</Term>{" "}
        is stored encrypted and never returned. <Term>POST /v1/connectors/test</Term>, or Test connection in the
        console, shows the first people.
      </p>
      <Table
        label="Pages of a list"
        head={["pagination", "how the next page is found"]}
        rows={[
          [<Term key="none">none</Term>, "One answer has everybody: up to 8 MiB of JSON, or 512 MiB of CSV."],
          [<Term key="page">page</Term>, "A page number in the address, until a page is empty."],
          [<Term key="cursor">cursor</Term>, "A cursor or an address in the answer, at the path in from."],
          [<Term key="link">link</Term>, "The address in the header Link."],
        ]}
      />
      <p>
        A fetched list is applied like an uploaded file, with the same limits. A failed fetch applies nothing and
        deactivates nobody. The run gives the reason: the sign-in was refused, the answer broke off or was a web page,
        or the pages changed their size. With <Term>total</Term>, the run also fails if the list is shorter than the
        server says. With <Term>{'"mode": "delta"'}</Term>, <Term>since</Term> names the parameter that carries the time
        of the last fetch.
      </p>
      <p>
        A schedule is a cron expression with a time zone. It belongs to the organisation, so it continues when its
        author leaves. If a run is still in progress at a scheduled time, that time is skipped. Private addresses are
        fetched only if the operator of this service allows them.
      </p>
      <p>
        If a run that the schedule or a file sent by SFTP started fails, or rejects every row, owners and admins get an
        e-mail. Further failures send no e-mail until a run has ended well again.
      </p>
      <Heading id="sftp-fetch">Fetch files by SFTP</Heading>
      <p>
        A connector of the type <Term>sftp</Term> with <Term>{'"direction": "fetch"'}</Term> takes files from your
        server, by its <Term>schedule</Term> and on <Term>POST …/sync</Term>. Its settings have the host, the port, the
        user name, whether the <Term>secret</Term> is a password or a private key (<Term>auth</Term>), and the{" "}
        <Term>path</Term>: a folder, a file, or a pattern such as <Term>/export/people-*.csv</Term>.
      </p>
      <p>
        First approve the server: <Term>POST /v1/connectors/test</Term>, or Test connection in the console, shows the
        fingerprint of its key without signing in. Compare it with the fingerprint that the operator of the server gives
        you, then store it as <Term>hostKey</Term>. Without it nothing is fetched. If the server later shows another
        key, the run fails, nothing is sent to the server, and owners and admins get an e-mail.
      </p>
      <p>
        A run takes the oldest file. It skips names that begin with a dot or end with <Term>.part</Term> or{" "}
        <Term>.tmp</Term>, as well as links, folders and files that are still growing: size and time must be the same in
        two checks, ten seconds apart. When the run is over, the file is moved to <Term>archive/</Term>, or to{" "}
        <Term>error/</Term> if it could not be applied, together with a report. The user needs write access there. If
        the file cannot be moved, the run says so and the file is not read again.
      </p>
      <Heading id="sftp-receive">Send files by SFTP</Heading>
      <p>
        With <Term>{'"direction": "receive"'}</Term>, you send files to the SFTP server of this service, if the operator
        has switched it on. <Term>GET /v1/connectors/{"{id}"}/sftp</Term> and the page of the connector show the host,
        the port, the user name and the fingerprints to compare at the first connection. Sign in with a password, which{" "}
        <Term>POST …/sftp/password</Term> returns once, or with one of up to 10 <Term>publicKeys</Term>. A connector can
        have both.
      </p>
      <p>
        A file is taken once its transfer is complete and it has its final name. Send <Term>people.csv.part</Term> and
        rename it to <Term>people.csv</Term>, because some programs also report a stopped transfer as complete.
        Completely transferred files with a temporary name are kept for 24 hours, also for later sessions: at most 20 of
        them, and 1 GiB in all. A file has at most 512 MiB. The folders <Term>archive</Term> and <Term>error</Term> hold
        the reports of the last 40 files. A connector sees only its own files, has no shell, cannot create folders or
        links, and is disconnected after five minutes without a request.
      </p>
      <Heading id="scim">A directory over SCIM 2.0</Heading>
      <p>
        A connector of the type <Term>scim</Term> takes people from Entra, Okta, Google, OneLogin, JumpCloud and other
        directories that push them. Create it in the console under Connectors, which says for each directory what to
        enter, or with <Term>POST /v1/connectors</Term>. The base address is <Term>/scim/v2</Term> for all connections.
        Each connection has its own tokens, from <Term>POST /v1/connectors/{"{id}"}/tokens</Term>. It can have two, so
        that you can replace one without downtime. Only <Term>/ServiceProviderConfig</Term> can be read without a token.
      </p>
      <p>
        A key or OAuth client with the scope <Term>scim</Term> that belongs to no connection uses the default
        connection, which is created at the first request. The default connection sees and may change everybody. A
        person who was added by the API or another source appears there as a user whose <Term>userName</Term> is their
        external id.
      </p>
      <p>
        The directory takes over an existing person if its <Term>externalId</Term> is theirs. With{" "}
        <Term>adopt: email</Term> people are also found by their e-mail address, and keep their externalId. If several
        people share the address, the directory gets <Term>409 uniqueness</Term>. With <Term>adopt: never</Term> nobody
        is taken over.
      </p>
      <p>
        A directory can create, change, list by filter and delete users and groups, one at a time or up to 500 in a{" "}
        <Term>/Bulk</Term> request. There, a <Term>bulkId</Term> refers to a resource that the same request creates.{" "}
        <Term>/.search</Term> finds both, and sorts them together by <Term>sortBy</Term>. Pages use{" "}
        <Term>startIndex</Term> or <Term>cursor</Term> (RFC 9865). A user who is deactivated or deleted in the directory
        is deactivated here unless another source keeps them active, and active again once the directory restores them.
        A status is written only when the directory changes or repeats it. A password is never stored. An invalid e-mail
        address is left out, and the rest of the request is applied. A paused connection can be read; changes get{" "}
        <Term>403</Term>.
      </p>
      <p>
        A <Term>POST</Term> or <Term>PATCH</Term> of <Term>/Users</Term> and <Term>/Groups</Term> takes an{" "}
        <Term>Idempotency-Key</Term>: a repeat within 24 hours changes nothing and gets the same answer. The key belongs
        to the connection: another connection that sends it gets <Term>422</Term>. <Term>/Bulk</Term> ignores the
        header, because its operations run separately. Repeating it creates nobody twice: an existing{" "}
        <Term>userName</Term> gets <Term>409 uniqueness</Term>.
      </p>
      <p>
        Entra adds values to lists that you map yourself, such as tags, and never removes values. Name such lists in{" "}
        <Term>settings.replaceOnAdd</Term>: the first <Term>add</Term> of a PATCH then replaces their values.
      </p>
      <p>
        A group of a directory is a static group whose <Term>providedBy</Term> names the connector. Rules and policies
        use it like any other group. Only the directory can rename it, change its members or delete it; a change here
        gets <Term>409 group_provided</Term>. If the directory adds a member whom it has not created yet, the member
        joins as soon as it does. A group can have up to 10,000 such pending members; more are refused with{" "}
        <Term>400 tooMany</Term>. If a policy or rule names a group that the directory deletes, the group stays without
        members until you delete it or the directory creates it again.
      </p>
      <p>
        Deactivations, and removals from groups that a policy uses, count together over 24 hours. Above the limit, the
        directory gets the answer that the change was made, but here the change waits for approval.{" "}
        <Term>GET …/staged</Term> lists the people with their groups; <Term>POST …/staged/approve</Term> and{" "}
        <Term>…/discard</Term> decide. Each person counts once, and only while still inactive; each membership counts
        only while it is still gone. After a discard, the directory sees what is applied, also pending members. If it
        repeats a discarded removal within 24 hours, the removal waits for approval again. Whoever is activated through
        the API or the console has no removal that waits any more.
      </p>
      <p>
        The pages of a connection in the console show its people and groups, its last requests with what they did or why
        they were refused, and where the directory and this service differ: people in the directory who are not active
        here, people who were sent and are gone from the directory, and people whom it never sent.
      </p>
      <Note>
        <p>
          <Term>GET …/runs/{"{run}"}/removals</Term> lists the people of a held run;{" "}
          <Term>POST …/runs/{"{run}"}/approve</Term> and <Term>…/cancel</Term> decide. An approval needs the scope{" "}
          <Term>connectors:approve</Term>, which a key has only if somebody chose it by name. See{" "}
          <To href="/docs/reference">the reference</To> for all fields.
        </p>
      </Note>
    </Guide>
  );
}
