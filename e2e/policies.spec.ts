import { findAndChoose } from "./fixtures/find";
import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a registrar builds a policy, applies it, and must approve a run after its data collapses", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Policy University");
  const { api } = organisation;
  const people = (dept: string | null, numbers: number[]) =>
    Promise.all(
      numbers.map((n) =>
        api("PUT", "/v1/subjects", { externalId: `s-${n}`, displayName: `Student ${n}`, attributes: { dept } }),
      ),
    );
  await people("Maths", [1, 2, 3, 4, 5, 6, 7, 8]);
  await people("Law", [9]);
  await api("POST", "/v1/templates", { name: "Student card", kind: "student_id", publish: true });
  await organisation.enter(page);
  await page.goto(`${service.url}/policies`);

  await page.getByRole("button", { name: "New policy" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /^Name/ }).fill("Mathematicians");
  await dialog.getByRole("button", { name: /Template/ }).click();
  await page.getByRole("option", { name: "Student card" }).click();
  const rule = dialog.getByRole("group", { name: "Rule" });
  await expect(
    rule.getByRole("textbox", { name: "Attribute" }).or(rule.getByRole("combobox", { name: "Attribute" })),
  ).toHaveCount(2);
  await rule.getByRole("button", { name: "Remove condition" }).last().click();
  const attribute = rule.locator('input[aria-label="Attribute"]');
  await attribute.fill("dept");
  await rule.getByLabel("Value", { exact: true }).fill("Maths");
  await expect(rule.getByText("Matches 8 active people now.")).toBeVisible();
  await rule.getByRole("button", { name: "Add a condition" }).click();
  await rule
    .getByRole("button", { name: /What is compared/ })
    .last()
    .click();
  await page.getByRole("option", { name: "Attribute" }).click();
  await expect(rule.getByText("Enter the attribute's name, as it stands in a person's record.")).toBeVisible();
  await attribute.last().fill("dept");
  await rule.getByRole("button", { name: "Remove condition" }).last().click();
  await expect(rule.getByText("Matches 8 active people now.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create policy" }).click();

  await expect(page.getByRole("heading", { name: "Mathematicians" })).toBeVisible();
  await expect(page.getByText("dept is Maths")).toBeVisible();
  await expect(page.getByText("8 credentials would be issued.")).toBeVisible();
  await page.getByRole("button", { name: "Apply" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog).toBeHidden();
  const runs = page.getByRole("table", { name: "Runs" });
  await expect(runs.getByText("8 issued")).toBeVisible();

  await page.getByRole("button", { name: "Add exception" }).click();
  await findAndChoose(page, dialog.getByRole("combobox", { name: "Person" }), "Student 9", /Student 9/);
  await expect(dialog.getByText("Does not get this credential")).toBeVisible();
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("Guest of the faculty");
  await dialog.getByRole("button", { name: "Add exception" }).click();
  const exceptions = page.getByRole("table", { name: "Exceptions" });
  await expect(exceptions.getByText("Guest of the faculty")).toBeVisible();
  await expect(page.getByRole("table", { name: "People" }).getByText("Exception: Guest of the faculty")).toBeVisible();

  await exceptions.getByRole("link", { name: "Student 9" }).click();
  await expect(page.getByText("Gets this credential with the next run.")).toBeVisible();
  await expect(page.getByText(/An exception grants them the credential.*“Guest of the faculty”/)).toBeVisible();
  await expect(page.getByText("The person does not meet the rule of this policy.")).toBeVisible();
  await expect(page.getByText("Recorded: Law")).toBeVisible();
  await findAndChoose(page, page.getByRole("combobox", { name: "Person" }), "Student 8", /Student 8/);
  await expect(page.getByText("Holds this credential and keeps it.")).toBeVisible();
  await page.getByRole("link", { name: "See the credential" }).click();
  const ofThePolicy = { name: "Policy Mathematicians", exact: true } as const;
  await expect(page.getByRole("definition").getByRole("link", ofThePolicy)).toBeVisible();
  await page.getByRole("listitem").getByRole("link", ofThePolicy).first().click();
  await expect(page.getByRole("heading", { name: /^Run of/ })).toBeVisible();
  await expect(page.getByText("8 issued")).toBeVisible();
  await page.getByRole("link", { name: "Mathematicians" }).click();
  await expect(runs).toBeVisible();

  await people(null, [1, 2, 3, 4, 5, 6, 7, 8]);
  await page.reload();
  await expect(page.getByText("8 would be ended. Up to 5 within 24 hours need no approval.")).toBeVisible();
  await page.getByRole("button", { name: /What changes/ }).click();
  await page.getByRole("option", { name: "Are suspended (8)" }).click();
  await expect(page.getByRole("table", { name: "People" }).getByText("Is suspended")).toHaveCount(8);
  await page.getByRole("button", { name: "Apply" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("This policy waits for your approval")).toBeVisible();
  await expect(
    page.getByText(/attributes\.dept is missing for 8 of the 8 people, who had it when this policy last ran/),
  ).toBeVisible();
  await expect(page.getByText(/Nobody matches the rule any more, and 8 people hold a credential by it/)).toBeVisible();
  const names = page.getByRole("table", { name: "Who would lose a credential" });
  await expect(names.getByText("Student 8")).toBeVisible();

  await page.goto(service.url);
  await expect(page.getByText("Policy “Mathematicians” is halted")).toBeVisible();
  await page.getByRole("link", { name: "Decide" }).click();

  await page.getByRole("button", { name: "Approve" }).click();
  await dialog.getByRole("button", { name: "Suspend 8 credentials" }).click();
  await expect(page.getByText("This policy waits for your approval")).toBeHidden();
  await expect(runs.getByText("8 suspended").first()).toBeVisible();

  const policy = page.url();
  const { data } = await api<{ data: { id: string }[] }>("GET", "/v1/credentials?state=suspended&limit=1");
  await page.goto(`${service.url}/credentials/${data[0]!.id}`);
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(dialog.getByText("The policy Mathematicians ends it again")).toBeVisible();
  await dialog.getByRole("link", { name: "add an exception to the policy" }).click();
  await expect(page).toHaveURL(policy);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await expect(page.getByText("This policy is paused")).toBeVisible();
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("This policy is paused")).toBeHidden();
});

test("a halted run cannot be approved once the policy has changed, and a pause discards it after a question", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Halted University");
  const { api } = organisation;
  const people = (dept: string | null) =>
    Promise.all([1, 2, 3].map((n) => api("PUT", "/v1/subjects", { externalId: `s-${n}`, attributes: { dept } })));
  await people("Maths");
  const template = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Card",
    kind: "membership",
    publish: true,
  });
  const { id } = await api<{ id: string }>("POST", "/v1/policies", {
    name: "Members",
    templateId: template.id,
    rule: { field: "attributes.dept", op: "eq", value: "Maths" },
  });
  await api("POST", `/v1/policies/${id}/apply`, {});
  await people(null);
  await api("POST", `/v1/policies/${id}/apply`, {});
  await organisation.enter(page);
  await page.goto(`${service.url}/policies/${id}`);
  await expect(page.getByRole("button", { name: "Approve" })).toBeVisible();
  await api("PATCH", `/v1/policies/${id}`, { onExit: "revoke" });
  await page.reload();
  await expect(page.getByText("The policy was changed since this run was halted")).toBeVisible();
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expect(page.getByRole("table", { name: "Runs" }).getByText("Request")).toHaveCount(0);

  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  const dialog = page.getByRole("alertdialog").or(page.getByRole("dialog"));
  await expect(dialog.getByText("The run that waits for an approval is discarded")).toBeVisible();
  await dialog.getByRole("button", { name: "Pause and discard" }).click();
  await expect(page.getByText("The last run was discarded")).toBeVisible();
});

test("a long form shows why it was not saved, wherever its button is", async ({ page, context, service }) => {
  const organisation = await newOrganisation(service, "Scrolling University");
  const template = await organisation.api<{ id: string }>("POST", "/v1/templates", {
    name: "Card",
    kind: "membership",
    publish: true,
  });
  const { id } = await organisation.api<{ id: string }>("POST", "/v1/policies", {
    name: "Members",
    templateId: template.id,
    rule: { field: "status", op: "eq", value: "active" },
  });
  await organisation.enter(page);
  await page.goto(`${service.url}/policies/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Days of grace").fill("5");
  await context.setOffline(true);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("You are offline")).toBeInViewport();
  await context.setOffline(false);
  await organisation.api("PATCH", `/v1/policies/${id}`, { name: "All members" });
  await expect(dialog.getByText("You are offline")).toBeHidden();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("Changed meanwhile")).toBeInViewport();
});

test("a policy's form says at each field what is missing", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Filling University");
  await organisation.api("POST", "/v1/templates", { name: "Degree", kind: "academic", publish: true });
  await organisation.enter(page);
  await page.goto(`${service.url}/policies`);
  await page.getByRole("button", { name: "New policy" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create policy" }).click();
  await expect(dialog.getByText("Fill this in.")).toBeVisible();
  await expect(dialog.getByText("Choose one.")).toBeVisible();

  await dialog.getByRole("button", { name: /Template/ }).click();
  await page.getByRole("option", { name: "Degree" }).click();
  await expect(dialog.getByText("Graduates would lose this award when they leave")).toBeVisible();
  await dialog.getByRole("button", { name: "Let them keep it" }).click();
  await expect(dialog.getByText("Graduates would lose this award when they leave")).toBeHidden();
  await expect(dialog.getByRole("button", { name: /When somebody leaves/ })).toHaveText(/Leave it/);
});

test("a registrar chooses the members of a group, and is told when the group was deleted", async ({
  page,
  service,
}) => {
  const organisation = await newOrganisation(service, "Grouped University");
  const { api } = organisation;
  const { id: templateId } = await api<{ id: string }>("POST", "/v1/templates", {
    name: "Library card",
    kind: "membership",
    publish: true,
  });
  const person = await api<{ id: string }>("PUT", "/v1/subjects", { externalId: "s-1", displayName: "Ada Lovelace" });
  const [choir, chess] = await Promise.all(
    ["Choir", "Chess club"].map((name) => api<{ id: string }>("POST", "/v1/groups", { name })),
  );
  await api("POST", `/v1/groups/${choir!.id}/members`, { subjectIds: [person.id] });
  const rule = { field: "groups", op: "in", value: [choir!.id] };
  const { id } = await api<{ id: string }>("POST", "/v1/policies", { name: "Singers", templateId, rule, graceDays: 7 });
  await organisation.enter(page);
  await page.goto(`${service.url}/policies/${id}`);
  await expect(page.getByText("Is in one of Choir")).toBeVisible();

  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await findAndChoose(page, dialog.getByRole("combobox", { name: "Group" }), "Chess", /Chess club/);
  await expect(dialog.getByText("Matches 1 active person now.")).toBeVisible();
  await api("DELETE", `/v1/groups/${chess!.id}`);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("This group was deleted meanwhile. Remove it, and choose another one.")).toBeVisible();
  await dialog.getByRole("button", { name: /^Remove (Chess club|a group that was deleted)/ }).click();
  await dialog
    .getByRole("textbox", { name: /^Days of grace/ })
    .or(dialog.getByLabel(/^Days of grace/))
    .first()
    .fill("3");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  await page.getByRole("button", { name: "Apply" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByRole("table", { name: "Runs" }).getByText("1 issued")).toBeVisible();
  await api("POST", `/v1/groups/${choir!.id}/members`, { subjectIds: [(await other(api)).id] });
  await api("POST", `/v1/groups/${choir!.id}/members/remove`, { subjectIds: [person.id] });
  await page.reload();
  await page.getByRole("button", { name: /What changes/ }).click();
  await page.getByRole("option", { name: "Keep it for the days of grace" }).click();
  const people = page.getByRole("table", { name: "People" });
  await expect(people.getByText("Keeps it for now")).toBeVisible();
  await people.getByRole("link", { name: "Ada Lovelace" }).click();
  await expect(page.getByText(/^Keeps this credential until .*The first run after that suspends it\.$/)).toBeVisible();
  await expect(page.getByText("The person is in no group.")).toBeVisible();
});

const other = (api: Awaited<ReturnType<typeof newOrganisation>>["api"]) =>
  api<{ id: string }>("PUT", "/v1/subjects", { externalId: "s-2", displayName: "Alan Turing" });
