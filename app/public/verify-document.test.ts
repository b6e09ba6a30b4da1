import { describe, expect, it } from "vitest";
import { type JsonObject } from "@/server/standards/json";
import { signJwt } from "@/server/standards/jose/sign-jwt";
import { Bitstring, minEntries } from "@/server/standards/status-list/bitstring";
import { badge } from "@/server/standards/testing/issuer";
import { issued, publishedTemplate } from "@/server/testing/credentials";
import { eventsOf } from "@/server/testing/events";
import { call } from "@/server/testing/request";
import {
  issuer,
  sign,
  type Verified,
  outcomes,
  w,
  token,
  served,
  withStatus,
  serveForeignIssuer,
} from "@/server/testing/foreign-issuer";

serveForeignIssuer();

describe("a credential of another issuer", () => {
  it("is invalid if its id is the address of a page of this service", async () => {
    const { id, verifyUrl } = await issued(w.ctx, (await publishedTemplate(w.ctx, { kind: "academic" })).id);
    expect(id).toMatch(/^crd_/);
    const { origin, pathname } = new URL(verifyUrl);
    const code = pathname.split("/").at(-1)!;
    for (const spelling of [
      verifyUrl,
      verifyUrl.toLowerCase(),
      `${verifyUrl}/`,
      `${verifyUrl}?utm=x#a`,
      `${origin}//c/${code}`,
      `${origin}/C/${code}`,
      `${origin}/c/${code.replaceAll("-", "%2D")}`,
      `${origin}/c/${code.replaceAll("-", "")}`,
      `${origin}/%63/${code}`,
      `${origin}/public/credentials/${code}`,
      `${origin}/public/credentials/${code}/credential.json`,
      `${origin}/verify?code=${code}`,
      `${origin}/public/verify?x=1&code=${code}`,
      verifyUrl.replace("://", "://ada@"),
      verifyUrl.replace(/:\/\/([^:/]+)/, "://$1."),
    ]) {
      const answer = (
        await call("POST", "/public/verify", { body: { credential: await sign({ id: spelling }) } })
      ).json<Verified>();
      expect([spelling, answer]).toMatchObject([spelling, { result: "invalid", reason: "signature_invalid" }]);
      expect(outcomes(answer)).toMatchObject({ signature: "fail" });
    }
    for (const other of ["https://example.org/c/7Q2M-0X4K-9VTB-C31E", `${origin}/docs`, `${origin}/c/short`])
      expect(
        (await call("POST", "/public/verify", { body: { credential: await sign({ id: other }) } })).json(),
      ).toMatchObject({
        result: "valid",
      });
  });

  it("shows dates in the language of the calling page", async () => {
    const credential = await sign({ validFrom: "2020-01-01T00:00:00Z", validUntil: "2021-01-01T00:00:00Z" });
    const ask = async (headers: Record<string, string>) =>
      (await call("POST", "/public/verify", { body: { credential }, headers })).json<Verified>();
    const german = await ask({ "x-page-language": "de" });
    expect(german.checks.find(({ name }) => name === "validity_period")?.detail).toBe(
      "Was valid until 1. Januar 2021 um 00:00:00 UTC.",
    );
    expect((await ask({})).checks.find(({ name }) => name === "validity_period")?.detail).toBe(
      "Was valid until 1 January 2021 at 00:00:00 UTC.",
    );
  });

  it("with an unknown signature algorithm or key is undecided, and refused with the algorithm none", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = (alg: string, by = issuer.did) =>
      `${part({ alg, typ: "vc+jwt", kid: `${by}#k` })}.${part(badge(by))}.${Buffer.from("signature").toString("base64url")}`;
    const resultOf = async (credential: string | JsonObject) =>
      (await call("POST", "/public/verify", { body: { credential } })).json<Verified>().result;
    for (const alg of ["ES256K", "PS256", "RS512"])
      expect([alg, await resultOf(token(alg))]).toEqual([alg, "indeterminate"]);
    for (const alg of ["none", "HS256"]) expect([alg, await resultOf(token(alg))]).toEqual([alg, "invalid"]);
    const signed = await sign();
    const others = [
      "did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme",
      "did:key:z6LSbysY2xFMRpGMhb7tFTLMpeuPRaqaWM1yECx2AtzE3KCc",
      "urn:uuid:3978344f-8596-4c3a-a978-8fcaba3903c5",
      "http://university.example/issuer",
    ];
    for (const by of others)
      expect([by, await resultOf({ ...signed, issuer: { id: by, type: ["Profile"], name: "Other" } })]).toEqual([
        by,
        "indeterminate",
      ]);
  });

  it("is verified for anyone and for a caller with a token, as JSON, as text and as a JWT", async () => {
    const signed = await sign();
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const answers = [
      await call("POST", "/public/verify", { body: { credential: signed } }),
      await call("POST", "/public/verify", { body: { credential: JSON.stringify(signed) } }),
      await call("POST", "/public/verify", { body: { credential: jwt } }),
      await call("GET", `/public/verify?token=${jwt}`),
      await call("POST", "/v1/verify", { token, body: { credential: signed } }),
      await call("POST", "/v1/verify", { token, body: { credential: jwt } }),
    ];
    for (const { status, headers, json } of answers) {
      expect(status).toBe(200);
      expect(headers.get("cache-control")).toMatch(/no-cache|no-store/);
      const answer = json<Verified>();
      expect(answer).toMatchObject({
        object: "verification",
        result: "valid",
        state: "active",
        reason: null,
        reasonText: null,
        credential: {
          code: "",
          kind: "external",
          title: "Bachelor of Science",
          issuer: {
            name: "Example University",
            did: issuer.did,
            domain: null,
            domainVerified: false,
            nameVerified: false,
            slug: "",
            registries: [],
          },
          validFrom: "2026-01-31T00:00:00.000Z",
          expiresAt: null,
        },
      });
      expect(outcomes(answer)).toEqual({
        format: "pass",
        issuer: "pass",
        signature: "pass",
        issuer_identity: "skipped",
        vocabulary: "pass",
        validity_period: "pass",
        status: "skipped",
      });
    }
  });

  it("shows times that RFC 3339 can express, and the year 1 if it has no beginning", async () => {
    const { validFrom: _, ...document } = badge(issuer.did);
    const times = async (more: JsonObject) => {
      const { credential } = (
        await call("POST", "/public/verify", { body: { credential: await sign({}, { ...document, ...more }) } })
      ).json<{ credential: Record<string, string | null> }>();
      return [credential["validFrom"], credential["issuedAt"], credential["expiresAt"]];
    };
    expect(await times({})).toEqual(["0001-01-01T00:00:00.000Z", null, null]);
    expect(await times({ validUntil: "9999-12-31T23:59:59-14:00" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      null,
      "9999-12-31T23:59:59.999Z",
    ]);
    expect(await times({ validUntil: "-0005-01-01T00:00:00Z" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      null,
      "0001-01-01T00:00:00.000Z",
    ]);
    expect(await times({ validFrom: "0000-06-01T00:00:00Z" })).toEqual([
      "0001-01-01T00:00:00.000Z",
      "0001-01-01T00:00:00.000Z",
      null,
    ]);
  });

  it("shows no characters that reverse text or control a terminal", async () => {
    const name = "Bachelor\u202E of\u0000 Science\u001B[31m\u2066";
    const more = { name, issuer: { id: issuer.did, type: ["Profile"], name: "Uni\u202Eversity\u0007" } };
    const answer = (
      await call("POST", "/public/verify", {
        body: { credential: await signJwt(badge(issuer.did, more), "vc", issuer) },
      })
    ).json<Verified>();
    expect(answer).toMatchObject({
      result: "valid",
      credential: { title: "Bachelor of Science[31m", issuer: { name: "University" } },
    });
  });

  it("shows its results, credits, codes and evidence with labels in words", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const described = (key: string, name: string, more: JsonObject = {}) => ({
      id: `https://example.edu/results/${key}`,
      type: ["ResultDescription"],
      name,
      resultType: "LetterGrade",
      ...more,
    });
    const level = { id: "https://example.edu/levels/2", type: ["RubricCriterionLevel"], name: "Distinction" };
    const achievement = {
      ...(subject["achievement"] as JsonObject),
      fieldOfStudy: "Mathematics",
      specialization: "Algebra",
      humanCode: "BSC-MATH",
      resultDescription: [
        described("grade", "Final grade"),
        described("thesis", "Thesis", { rubricCriterionLevel: [level] }),
        described("course", "Course"),
      ],
    };
    const of = (key: string, more: JsonObject) => ({
      type: ["Result"],
      resultDescription: `https://example.edu/results/${key}`,
      ...more,
    });
    const result = [
      of("grade", { value: "A-" }),
      of("thesis", { achievedLevel: level.id }),
      of("course", { status: "InProgress" }),
      { type: ["Result"], value: "17", status: "Provisional" },
    ];
    const evidence = [
      {
        type: ["Evidence"],
        id: "https://example.edu/thesis.pdf",
        name: "Thesis",
        genre: "Paper",
        narrative: "On *rings*.",
      },
    ];
    const signed = await sign({
      credentialSubject: { ...subject, achievement, result, creditsEarned: 180 },
      awardedDate: "2025-07-01T10:00:00Z",
      evidence,
    });
    const answer = (await call("POST", "/public/verify", { body: { credential: signed } })).json<{
      result: string;
      credential: { fields: { label: string; value: string; format: string }[] };
    }>();
    expect(answer.result).toBe("valid");
    expect(answer.credential.fields.map(({ label, value, format }) => [label, value, format])).toEqual([
      ["Description", "Three years of study.", "text"],
      ["Field of study", "Mathematics", "text"],
      ["Specialisation", "Algebra", "text"],
      ["Catalogue code", "BSC-MATH", "text"],
      ["Final grade", "A-", "text"],
      ["Thesis", "Distinction", "text"],
      ["Course", "In progress", "text"],
      ["Result", "17 (provisional)", "text"],
      ["Credits earned", "180", "text"],
      ["Awarded on", "2025-07-01", "date"],
      ["Criteria", "Pass the examinations.", "markdown"],
      ["Evidence", "Thesis (Paper)\n\nOn *rings*.\n\n<https://example.edu/thesis.pdf>", "markdown"],
      ["Credential id", "urn:uuid:0d6e1e2c-1f59-4f1e-9a57-5f3a61a2c5a1", "text"],
    ]);
  });

  it("with thousands of results shows a hundred, and how many more there are", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const result = Array.from({ length: 900 }, (_, i) => ({ type: ["Result"], value: String(i) }));
    const credential = await signJwt(badge(issuer.did, { credentialSubject: { ...subject, result } }), "vc", issuer);
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<{
      credential: { fields: { label: string; value: string }[] };
    }>();
    const { fields } = answer.credential;
    expect(fields.filter(({ label }) => label === "Result")).toHaveLength(100);
    expect(fields).toContainEqual(expect.objectContaining({ label: "Not shown", value: "800 more results" }));
  });

  it("that was changed is invalid, and its state is not shown", async () => {
    const answer = (
      await call("POST", "/public/verify", { body: { credential: { ...(await sign()), name: "Doctor" } } })
    ).json();
    expect(answer).toMatchObject({
      result: "invalid",
      state: "unknown",
      reason: "signature_invalid",
      reasonText: expect.stringContaining("does not fit"),
    });
  });

  it("with a wrong signature is not repeated: neither holder nor title nor the issuer's name", async () => {
    const signed = await sign();
    const forged = {
      ...signed,
      name: "Doctor of Forgery",
      issuer: { id: issuer.did, name: "Famous University" },
    };
    const answer = await call("POST", "/public/verify", { body: { credential: forged } });
    expect(answer.json()).toMatchObject({
      result: "invalid",
      credential: { title: "Credential", subject: { displayName: "" }, fields: [] },
    });
    expect(answer.text).not.toMatch(/Forgery|Famous/);
  });

  it("is revoked as soon as its list says so, and undecided if the list does not answer", async () => {
    const signed = await withStatus();
    const verify = async () => (await call("POST", "/public/verify", { body: { credential: signed } })).json();
    served.list = Bitstring.ofLength(minEntries);
    expect(await verify()).toMatchObject({ result: "valid", state: "active" });
    served.list!.set(7, true);
    expect(await verify()).toMatchObject({
      result: "invalid",
      state: "revoked",
      reason: "revoked",
      reasonText: "Revoked by its issuer.",
    });
    served.list = undefined;
    expect(await verify()).toMatchObject({
      result: "indeterminate",
      state: "unknown",
      reason: "status_unavailable",
      checks: expect.arrayContaining([expect.objectContaining({ name: "status", outcome: "error" })]),
    });
  });

  it("without a signature is refused with an explanation and what to do, and no issuer is contacted", async () => {
    for (const did of [issuer.did, "did:web:localhost", "did:example:acme"])
      for (const path of ["/public/verify", "/v1/verify"]) {
        const answer = (await call("POST", path, { token, body: { credential: badge(did) } })).json<
          Verified & { reasonText: string; credential: { title: string; subject: object } }
        >();
        expect([did, answer]).toMatchObject([
          did,
          { result: "invalid", state: "unknown", reason: "signature_invalid" },
        ]);
        expect(answer.reasonText).toMatch(
          /^This document is not signed: it has no proof\. Anybody can have written it/,
        );
        expect(answer.reasonText).toMatch(/Ask the holder for the signed file, or for the link or the code/);
        expect(answer.reasonText).not.toContain("does not fit");
        expect(outcomes(answer)).toMatchObject({ issuer: "skipped", signature: "fail", status: "skipped" });
        // Nobody vouches for its content.
        expect(JSON.stringify(answer.credential)).not.toContain("ada@example");
        expect(answer.credential.title).not.toContain("Bachelor");
      }
  });

  it("is undecided if its issuer cannot be reached, or may not be", async () => {
    for (const did of ["did:web:localhost", "did:web:10.0.0.1", "did:web:169.254.169.254", "did:ion:EiD"]) {
      const answer = (
        await call("POST", "/public/verify", { body: { credential: { ...badge(did), proof: [] } } })
      ).json();
      expect(answer).toMatchObject({ result: "invalid", reason: "malformed" });
      const signed = (
        await call("POST", "/public/verify", { body: { credential: await sign({}, badge(did)) } })
      ).json();
      expect([did, signed]).toMatchObject([
        did,
        {
          result: "indeterminate",
          state: "unknown",
          reason: "issuer_unknown",
          credential: { issuer: { domainVerified: false } },
        },
      ]);
    }
  });

  it("has ended or not begun by its own dates", async () => {
    const verify = async (more: JsonObject) =>
      (await call("POST", "/public/verify", { body: { credential: await sign(more) } })).json();
    expect(await verify({ validUntil: "2026-02-01T00:00:00Z" })).toMatchObject({
      result: "invalid",
      state: "expired",
      reason: "expired",
      credential: { expiresAt: "2026-02-01T00:00:00.000Z" },
    });
    expect(await verify({ validFrom: "2999-01-01T00:00:00Z" })).toMatchObject({
      result: "invalid",
      state: "pending",
      reason: "not_yet_valid",
      credential: { issuedAt: null },
    });
  });

  it.each(["{", "[]", "x.y.z", "", " ", "<svg/>", { a: 1 }, { "@context": "x" }])(
    "that is %j is malformed, and causes no error",
    async (credential) => {
      const { status, json } = await call("POST", "/public/verify", { body: { credential } });
      const { result, reason, credential: read } = json<Verified>();
      expect([status, result, reason, read.title]).toEqual([200, "invalid", "malformed", "Credential"]);
    },
  );

  it("is verified as a JWT that a mail program broke into lines", async () => {
    const jwt = await signJwt(badge(issuer.did), "vc", issuer);
    const broken = jwt.replace(/.{76}/g, "$&\r\n  ");
    expect((await call("POST", "/public/verify", { body: { credential: broken } })).json()).toMatchObject({
      result: "valid",
    });
  });

  it("with an undefined term is reported as signed, not as unreadable", async () => {
    const credential = await signJwt(badge(issuer.did, { shoeSize: 42 }), "vc", issuer);
    const answer = (await call("POST", "/public/verify", { body: { credential } })).json<{ reasonText: string }>();
    expect(answer).toMatchObject({ result: "invalid", reason: "malformed" });
    expect(answer.reasonText).toMatch(/^Its signature holds, but .*shoeSize/);
    expect(answer.reasonText).not.toContain("cannot be read");
  });

  it("shows every plain-text identifier of its holder, and says if the holder was compared with nobody", async () => {
    const subject = badge(issuer.did)["credentialSubject"] as JsonObject;
    const verify = async (credentialSubject: JsonObject | JsonObject[]) => {
      const credential = await signJwt(badge(issuer.did, { credentialSubject }), "vc", issuer);
      const { checks, credential: read } = (await call("POST", "/public/verify", { body: { credential } })).json<{
        checks: { name: string; outcome: string; detail: string }[];
        credential: { subject: { displayName: string } };
      }>();
      const holder = checks.find(({ name }) => name === "holder");
      return [read.subject.displayName, holder && `${holder.outcome}: ${holder.detail}`];
    };
    const identified = (...identities: [type: string, identityHash: string, hashed?: boolean][]) => ({
      ...subject,
      identifier: identities.map(([identityType, identityHash, hashed = false]) => ({
        type: "IdentityObject",
        hashed,
        identityHash,
        identityType,
      })),
    });
    const { identifier: _, ...unnamed } = subject;
    expect(await verify(subject)).toEqual(["ada@example.edu", undefined]);
    expect(await verify(identified(["studentId", "77"], ["name", "Ada"]))).toEqual(["Ada", undefined]);
    expect(await verify(identified(["emailAddress", "sha256$c0ffee", true]))).toEqual([
      "",
      expect.stringMatching(/^skipped: .*hashed.*nobody was compared/),
    ]);
    expect(await verify(unnamed)).toEqual(["", expect.stringMatching(/^skipped: It names no holder/)]);
    expect(await verify([identified(["name", "Ada"]), identified(["name", "Grace"])])).toEqual([
      "Ada, Grace",
      expect.stringMatching(/^skipped: It is about 2 subjects\. Not all/),
    ]);
  });

  it("may contain a picture of 900,000 characters, as JSON and as a JWT", async () => {
    const picture = `data:image/png;base64,${"A".repeat(900_000)}`;
    const subject = badge(issuer.did)["credentialSubject"] as { achievement: JsonObject };
    const more = {
      credentialSubject: {
        ...subject,
        achievement: { ...subject.achievement, image: { id: picture, type: "Image" } },
      } as JsonObject,
    };
    const files: [string, string][] = [
      [JSON.stringify(await sign(more)), "application/vc"],
      [await signJwt(badge(issuer.did, more), "vc", issuer), "application/vc+jwt"],
    ];
    for (const [text, type] of files)
      expect(
        (await call("POST", "/public/verify", { raw: text, headers: { "content-type": type } })).json(),
      ).toMatchObject({ result: "valid" });
  });

  it("emits nothing, because it belongs to no organisation", async () => {
    const before = await eventsOf(w.orgId);
    await call("POST", "/v1/verify", { token, body: { credential: await sign() } });
    expect(await eventsOf(w.orgId)).toEqual(before);
  });

  it("answers 304 to the ETag of a token, while the decision is the same", async () => {
    const path = `/public/verify?token=${await signJwt(badge(issuer.did), "vc", issuer)}`;
    const etag = (await call("GET", path)).headers.get("etag")!;
    expect((await call("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });
});
