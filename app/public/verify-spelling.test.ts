import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listOf, type Json, type JsonObject } from "@/server/standards/json";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { badge } from "@/server/standards/testing/issuer";
import { call } from "@/server/testing/request";
import { issuer, sign, type Verified, token, serveForeignIssuer } from "@/server/testing/foreign-issuer";
import { facts, graphOf, randomlyRespelled, respelled, toldBy, typeOf, types } from "@/server/testing/respelled";

serveForeignIssuer();

const answerTo = async (credential: JsonObject) =>
  (await call("POST", "/public/verify", { body: { credential } })).json<Verified>();

describe("a credential of another issuer in another spelling", () => {
  it("that repeats a member is malformed, in every form and by every way in", async () => {
    const text = JSON.stringify(await sign());
    const twice = [
      text.replace('"name":', '"name":"Doctor of Law","name":'),
      text.replace('"name":', '"n\\u0061me":"Doctor of Law","name":'),
      text.replace('"criteria":{', '"criteria":{"narrative":"Nothing.",'),
      text.replace('"validFrom":', '"validFrom" : "1999-01-01T00:00:00Z" , "validFrom":'),
    ];
    for (const each of twice) expect(each).not.toBe(text);
    const [header, payload, signature] = (await signJwt(badge(issuer.did), "vc", issuer)).split(".") as string[];
    const part = (json: string) => Buffer.from(json).toString("base64url");
    const doubled = Buffer.from(payload!, "base64url").toString().replace('"name":', '"name":"Doctor of Law","name":');
    const jwts = [
      `${header}.${part(doubled)}.${signature}`,
      `${part(Buffer.from(header!, "base64url").toString().replace("{", '{"alg":"none",'))}.${payload}.${signature}`,
    ];
    for (const credential of [...twice, ...jwts]) {
      const answers = [
        await call("POST", "/public/verify", { body: { credential } }),
        await call("POST", "/v1/verify", {
          token,
          raw: Buffer.from(credential),
          headers: { "content-type": "application/vc" },
        }),
      ];
      for (const { status, json } of answers)
        expect([credential.slice(0, 60), status, json<Verified & { reasonText: string }>()]).toMatchObject([
          expect.any(String),
          200,
          { result: "invalid", reason: "malformed", reasonText: expect.stringMatching(/states something twice/) },
        ]);
    }
  });

  it("gets the same answer if each value is in a list, which the signature allows", async () => {
    const plain = badge(issuer.did)["credentialSubject"] as JsonObject & { achievement: JsonObject };
    const subject = {
      ...plain,
      creditsEarned: 12,
      achievement: { ...plain.achievement, humanCode: "X1" },
      result: [{ type: ["Result"], value: "Fail" }],
    };
    const signed = await sign({ credentialSubject: subject, awardedDate: "2025-12-01T12:00:00Z" });
    const inLists = {
      ...signed,
      awardedDate: ["2025-12-01T12:00:00Z"],
      credentialSubject: {
        ...subject,
        creditsEarned: [12],
        result: [[{ type: ["Result"], value: [["Fail"]] }]],
        achievement: [
          [
            {
              ...subject.achievement,
              humanCode: { "@value": "X1" },
              criteria: [[{ narrative: { "@value": "Pass the examinations." } }]],
            },
          ],
        ],
      },
    };
    const [one, other] = await Promise.all(
      [signed, inLists].map(async (credential) =>
        (await call("POST", "/public/verify", { body: { credential } })).json<Verified & { credential: object }>(),
      ),
    );
    expect(one).toMatchObject({ result: "valid", credential: { fields: expect.any(Array) } });
    expect(JSON.stringify(one)).toContain("Pass the examinations.");
    expect(other!.credential).toEqual(one!.credential);
  });

  it.each<[string, (value: string | number, name: string) => Json]>([
    [
      "as an object without a language",
      (value, name) => (name in types ? value : { "@value": value, "@language": null }),
    ],
    ["as an object with its type", (value, name) => ({ "@value": value, type: typeOf(name) })],
    ["beside null", (value) => [null, value]],
    ["twice", (value) => [value, value]],
  ])("gets the same answer if each value is %s, which the signature allows", async (_, spelled) => {
    const signed = await sign(facts(issuer.did));
    const answers = [];
    for (const credential of [signed, respelled(signed, "", spelled)]) {
      expect(await graphOf(credential)).toBe(await graphOf(signed));
      answers.push(await answerTo(credential));
    }
    expect(answers[0]).toMatchObject({ result: "valid" });
    expect(JSON.stringify(answers[0])).toContain("51 (failed)");
    expect(toldBy(answers[1]!)).toEqual(toldBy(answers[0]!));
  });

  it("gets the same answer, or is not valid, in every spelling of the graph that its issuer signed", async () => {
    const signed = await sign(facts(issuer.did));
    const [graph, told] = [await graphOf(signed), toldBy(await answerTo(signed))];
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat(1_000)), async (choices) => {
        const credential = randomlyRespelled(signed, () => choices.next().value);
        if ((await graphOf(credential)) !== graph) return;
        const answer = await answerTo(credential);
        if (answer.result !== "valid") return;
        valid++;
        expect(toldBy(answer)).toEqual(told);
      }),
      { numRuns: 150 },
    );
    // Few random spellings keep the graph and are documents that are read at all.
    expect(valid).toBeGreaterThan(0);
  });

  it.each<[string, (document: JsonObject) => void]>([
    [
      "a subject is split in two",
      (document) => {
        const { result, ...subject } = document["credentialSubject"] as JsonObject;
        document["credentialSubject"] = [subject, { id: subject["id"]!, type: subject["type"]!, result }];
      },
    ],
    [
      "a result has the id of a blank node",
      (document) => {
        const { result } = document["credentialSubject"] as { result: JsonObject[] };
        const [{ type, ...stated }] = result as [JsonObject];
        result.splice(0, 1, { id: "_:r", type: type! }, { id: "_:r", type: type!, ...stated });
      },
    ],
  ])("gets the same answer if %s, which the signature allows", async (_, change) => {
    const signed = await sign(facts(issuer.did));
    const credential = structuredClone(signed);
    change(credential);
    expect(await graphOf(credential)).toBe(await graphOf(signed));
    const [told, original] = await Promise.all([answerTo(credential), answerTo(signed)]);
    expect(told).toMatchObject({ result: "valid" });
    expect(toldBy(told)).toEqual(toldBy(original));
  });

  describe("that ended, about somebody who failed", () => {
    const ended = () => ({ ...facts(issuer.did), validUntil: "2026-02-01T00:00:00Z" });
    const ob = "https://purl.imsglobal.org/spec/vc/ob/vocab.html#";
    const vc = "https://www.w3.org/2018/credentials#";
    const end = { "@type": "http://www.w3.org/2001/XMLSchema#dateTime", "@value": "2026-02-01T00:00:00Z" };
    const subjectOf = (document: JsonObject) => document["credentialSubject"] as JsonObject & { result: Json[] };
    const withContext = (document: JsonObject, context: JsonObject) => {
      document["@context"] = [...listOf(document["@context"]), context];
    };
    const withoutEnd = (document: JsonObject) => void delete document["validUntil"];

    it.each<[string, (document: JsonObject) => void]>([
      [
        "its end has an alias",
        (document) => {
          withContext(document, { until: { "@id": `${vc}validUntil`, "@type": end["@type"] } });
          withoutEnd(document);
          document["until"] = end["@value"];
        },
      ],
      [
        "its end is nested",
        (document) => {
          withContext(document, { more: "@nest" });
          withoutEnd(document);
          document["more"] = { validUntil: end["@value"] };
        },
      ],
      [
        "its end is an IRI",
        (document) => {
          withoutEnd(document);
          document[`${vc}validUntil`] = end;
        },
      ],
      [
        "its end is included elsewhere",
        (document) => {
          withoutEnd(document);
          subjectOf(document)["@included"] = [{ "@id": document["id"]!, [`${vc}validUntil`]: end }];
        },
      ],
      [
        "its end is in a graph of its own level",
        (document) => {
          withoutEnd(document);
          const { "@context": context, proof, ...stated } = document;
          for (const name of Object.keys(document)) delete document[name];
          Object.assign(document, {
            "@context": context,
            proof,
            "@graph": [stated, { "@id": stated["id"]!, [`${vc}validUntil`]: end }],
          });
        },
      ],
      [
        "its end stands under the subject's reference to it",
        (document) => {
          withContext(document, { of: { "@reverse": `${vc}credentialSubject` } });
          withoutEnd(document);
          subjectOf(document)["of"] = { id: document["id"]!, [`${vc}validUntil`]: end };
        },
      ],
      [
        "its result is named by the reverse of its property",
        (document) => {
          withContext(document, { resultOf: { "@reverse": `${ob}result` } });
          const [failed, ...others] = subjectOf(document).result as [JsonObject];
          subjectOf(document).result = others;
          subjectOf(document)["@included"] = [{ ...failed, resultOf: { id: subjectOf(document)["id"]! } }];
        },
      ],
      [
        "its results are a set",
        (document) => {
          (document["credentialSubject"] as JsonObject)["result"] = { "@set": subjectOf(document).result };
        },
      ],
      [
        "a context of its subject renames the status of a result",
        (document) => {
          const [failed] = subjectOf(document).result as [JsonObject];
          const { status, ...others } = failed;
          subjectOf(document).result[0] = { "@context": { note: `${ob}status` }, ...others, note: status };
        },
      ],
      [
        "its parts have the ids of blank nodes and stand apart",
        (document) => {
          const [failed] = subjectOf(document).result as [JsonObject];
          const { status, ...others } = failed;
          subjectOf(document).result[0] = { id: "_:fail", ...others };
          document["evidence"] = listOf(document["evidence"]).map((each) => ({ ...(each as JsonObject) }));
          subjectOf(document)["result"] = [
            ...subjectOf(document).result,
            { id: "_:fail", type: others["type"]!, status },
          ];
        },
      ],
    ])("is told so, or refused, where %s", async (_, change) => {
      const signed = await sign(ended());
      const credential = structuredClone(signed);
      change(credential);
      expect(await graphOf(credential)).toBe(await graphOf(signed));
      const [told, original] = await Promise.all([answerTo(credential), answerTo(signed)]);
      expect(original).toMatchObject({ result: "invalid", state: "expired", reason: "expired" });
      expect(told.result).toBe("invalid");
      if (told.reason === "malformed") expect(JSON.stringify(told)).not.toMatch(/Mallory|2099|Passed/);
      else expect(toldBy(told)).toEqual(toldBy(original));
    });

    it.each<[string, (document: JsonObject) => void]>([
      ["another end", (document) => void (document["validUntil"] = "2099-01-01T00:00:00Z")],
      ["no end", withoutEnd],
      ["another result", (document) => void ((subjectOf(document).result[0] as JsonObject)["status"] = "Completed")],
      ["no result", (document) => void subjectOf(document).result.shift()],
      ["another holder", (document) => void (subjectOf(document)["id"] = "did:example:mallory")],
      ["another name of its holder", (document) => void (subjectOf(document)["name"] = "Mallory")],
      [
        "another name of its issuer",
        (document) => void ((document["issuer"] as JsonObject)["name"] = "Mallory College"),
      ],
      [
        "an image of its issuer",
        (document) =>
          void ((document["issuer"] as JsonObject)["image"] = {
            id: "https://evil.example/Mallory.png",
            type: "Image",
          }),
      ],
      [
        "words under names that its context drops",
        (document) => {
          withContext(document, { note: null, logo: null });
          document["note"] = "Valid until 2099";
          (document["issuer"] as JsonObject)["logo"] = "https://evil.example/Mallory.png";
          (subjectOf(document).result[0] as JsonObject)["note"] = "Completed";
        },
      ],
      [
        "the status of a result under a name of a context of its type",
        (document) => {
          withContext(document, { Result: { "@id": `${ob}Result`, "@context": { note: `${ob}status` } } });
          Object.assign(subjectOf(document).result[0] as JsonObject, { status: undefined, note: "Completed" });
        },
      ],
    ])("is not valid, and nothing of it is repeated, with %s that nobody signed", async (_, change) => {
      const signed = await sign(ended());
      const credential = structuredClone(signed);
      change(credential);
      expect(await graphOf(credential)).not.toBe(await graphOf(signed));
      const answer = await answerTo(credential);
      expect(answer.result).not.toBe("valid");
      expect(JSON.stringify(answer)).not.toMatch(/mallory|2099|Completed/i);
    });
  });

  it("is not valid if criteria have the name of their class, which the signature allows", async () => {
    const signed = await sign(facts(issuer.did));
    const credential = structuredClone(signed);
    const { achievement } = credential["credentialSubject"] as { achievement: JsonObject };
    achievement["Criteria"] = achievement["criteria"]!;
    delete achievement["criteria"];
    expect(await graphOf(credential)).toBe(await graphOf(signed));
    const answer = await answerTo(credential);
    expect(answer.result).not.toBe("valid");
  });
});
