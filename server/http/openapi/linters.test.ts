import { readFileSync } from "node:fs";
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from "@redocly/openapi-core";
import spectralCore, { type RuleDefinition, type RulesetDefinition } from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { expect, it } from "vitest";

const text = readFileSync("public/openapi.json", "utf8");

it("redocly reports no problem in the document", async () => {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // /v1/credentials/counts and /v1/credentials/{id}: a path without parameters matches first (OpenAPI 3.1, 4.8.8.1).
      "no-ambiguous-paths": "off",
      // The link to a pass of Google Wallet leads there (303), and answers nothing by itself.
      "operation-2xx-response": "off",
    },
  });
  const problems = await lintDocument({
    document: makeDocumentFromString(text, "openapi.json"),
    config,
    externalRefResolver: new BaseResolver(),
  });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`),
  ).toEqual([]);
});

it("spectral reports no problem in the document, with all its rules but five", { timeout: 240_000 }, async () => {
  const spectral = new spectralCore.Spectral();
  const oas = spectralRulesets.oas as RulesetDefinition & { rules: Record<string, object> };
  spectral.setRuleset({
    extends: [[oas, "all"]],
    rules: {
      // Of headers only: document.test.ts compares the examples of bodies with their schemas, in a third of the time.
      "oas3-valid-media-example": {
        ...oas.rules["oas3-valid-media-example"],
        given: "$.components.headers.*",
      } as RuleDefinition,
      // Tags have the order of the reference. The licence has an SPDX identifier, which excludes a url. The contact is
      // whoever runs the service.
      "openapi-tags-alphabetical": "off",
      "license-url": "off",
      "contact-properties": "off",
      // The summary of a plain list or get says it all.
      "operation-description": "off",
      // Names such as createdAfter say what they are.
      "oas3-parameter-description": "off",
    },
  });
  const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
  expect(problems.map(({ code, message, path }) => `${code}: ${message} ${path.join("/")}`)).toEqual([]);
});
