import { newOrganisation } from "./fixtures/organisation";
import { expect, test } from "./fixtures/test";

test("an owner replaces the signing key, and the old key stays listed", async ({ page, service }) => {
  const organisation = await newOrganisation(service, "Signing University");
  const { keys } = await organisation.api<{ keys: { publicKeyMultibase: string }[] }>("GET", "/v1/issuer");
  await organisation.enter(page);
  await page.goto(`${service.url}/settings`);
  await page.getByRole("link", { name: "Issuer" }).click();
  const rows = page.getByRole("listitem").filter({ hasText: "Ed25519" });
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Replace key…" }).click();
  const dialog = page.getByRole("dialog", { name: "Replace the signing key?" });
  await expect(dialog).toContainText("Credentials that the present key signed stay valid");
  await dialog.getByRole("button", { name: "Replace key" }).click();
  await expect(page.getByText("The next key signs from now on", { exact: true })).toBeVisible();
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: "Signs" })).toContainText(keys[1]!.publicKeyMultibase.slice(0, 12));
  await expect(rows.filter({ hasText: "Retired" })).toContainText(keys[0]!.publicKeyMultibase.slice(0, 12));
});
