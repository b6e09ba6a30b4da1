import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("a registrar builds a policy, applies it, and is asked when its data collapses", async ({ page, service }) => {
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
  await expect(rule.getByText("Means 8 people now.")).toBeVisible();
  await rule.getByRole("button", { name: "Add a condition" }).click();
  await rule
    .getByRole("button", { name: /What is compared/ })
    .last()
    .click();
  await page.getByRole("option", { name: "Attribute" }).click();
  await expect(rule.getByText("Enter the attribute's name, as it stands in a person's record.")).toBeVisible();
  await attribute.last().fill("dept");
  await rule.getByRole("button", { name: "Remove condition" }).last().click();
  await expect(rule.getByText("Means 8 people now.")).toBeVisible();
  await dialog.getByRole("button", { name: "Create policy" }).click();

  await expect(page.getByRole("heading", { name: "Mathematicians" })).toBeVisible();
  await expect(page.getByText("dept is Maths")).toBeVisible();
  await expect(page.getByText("8 credentials would be issued.")).toBeVisible();
  await page.getByRole("button", { name: "Apply" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(dialog).toBeHidden();
  const runs = page.getByRole("table", { name: "Runs" });
  await expect(runs.getByText("8 issued")).toBeVisible();

  await people(null, [1, 2, 3, 4, 5, 6]);
  await page.reload();
  await expect(page.getByText("6 would be ended. Up to 5 within 24 hours need nobody's approval.")).toBeVisible();
  await page.getByRole("button", { name: "Apply" }).click();
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("This policy waits for you")).toBeVisible();
  await expect(page.getByText(/attributes\.dept is missing for 6 of the 6 people/)).toBeVisible();
  const names = page.getByRole("table", { name: "Who would lose a credential" });
  await expect(names.getByText("Student 6")).toBeVisible();

  await page.goto(service.url);
  await expect(page.getByText("Policy “Mathematicians” is halted")).toBeVisible();
  await page.getByRole("link", { name: "Decide" }).click();

  await page.getByRole("button", { name: "Approve" }).click();
  await dialog.getByRole("button", { name: "Suspend 6 credentials" }).click();
  await expect(page.getByText("This policy waits for you")).toBeHidden();
  await expect(runs.getByText("6 suspended")).toBeVisible();
});
