import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { packFile, UnfitFile } from "../pack-file";
import { mappingOf, suggest, suggestStatus } from "./mapping-of";
import { readSample } from "./read-sample";

const file = (content: BlobPart, name = "people.csv") => new File([content], name);

it("suggests where usual columns go, and makes the mapping of the choices", async () => {
  const { columns } = await readSample(
    file(
      "Student ID;First name;Last name;E-Mail;Status;Room\r\n1;Ada;Lovelace;a@example.edu;enrolled;3\r\n2;;;;left;\r\n",
    ),
  );
  const targets = suggest(columns);
  expect(targets).toEqual({
    "Student ID": "externalId",
    "First name": "displayName",
    "Last name": "displayName",
    "E-Mail": "email",
    Status: "status",
    Room: "none",
  });
  const status = suggestStatus(columns[4]!.values);
  expect(mappingOf(columns, { ...targets, Room: "attribute" }, status)).toEqual({
    externalId: "Student ID",
    displayName: { transform: "template", template: "{First name} {Last name}" },
    email: { from: "E-Mail", transform: "lower" },
    status: { from: "Status", transform: "trim", values: { enrolled: "active", left: "inactive" } },
    attributes: { Room: "Room" },
  });
  expect(mappingOf(columns, { Room: "attribute" }, status)).toBeNull();
});

it.each([
  ["UTF-8 with a byte order mark", "auto", Buffer.from("\ufeffid,name\n1,Zoë\n")],
  ["UTF-16", "auto", Buffer.from("\ufeffid\tname\n1\tZoë\n", "utf16le")],
  ["what Excel writes in Western Europe", "windows-1252", Buffer.from('id;name\n1;"Zoë"\n', "latin1")],
])("reads a sample in %s", async (_, encoding, bytes) => {
  expect(await readSample(file(new Uint8Array(bytes)))).toEqual({
    columns: [
      { name: "id", values: ["1"] },
      { name: "name", values: ["Zoë"] },
    ],
    encoding,
  });
});

it("says in words what is no sample", async () => {
  await expect(readSample(file("PK", "people.xlsx"))).rejects.toThrow(UnfitFile);
  await expect(readSample(file("\n\n"))).rejects.toThrow("The first line must hold the names of the columns.");
  await expect(readSample(file('id,name\n1,"Ada\n'))).rejects.toThrow("a quote that is opened and never closed");
});

it("packs a file so that the server reads the same bytes", async () => {
  const text = Array.from({ length: 30_000 }, () => `${Math.random()},ë\n`).join("");
  expect(gunzipSync(Buffer.from(await packFile(file(text)), "base64")).toString()).toBe(text);
  await expect(packFile(file(""))).rejects.toThrow("is empty");
});
