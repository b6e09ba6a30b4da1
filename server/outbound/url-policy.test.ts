import { describe, expect, test } from "vitest";
import { createOutbound } from "./outbound";

const outbound = (allowHttp: boolean, allowCidrs: string[] = []) =>
  createOutbound({ resolve: () => Promise.reject(new Error("nothing is resolved here")), allowHttp, allowCidrs });
const strict = outbound(false);
const withHttp = outbound(true);

describe("accepted", () => {
  test.each([
    "https://example.com",
    "https://example.com:8443/hooks/a?b=c",
    "https://example.com./",
    "https://93.184.215.14/",
    "https://[2606:4700:4700::1111]/",
    "https://bücher.example/",
    `https://${"a".repeat(63)}.example/`,
  ])("%s", (url) => expect(strict.urlProblem(url)).toBeNull());
  test("http if the policy allows it", () => expect(withHttp.urlProblem("http://example.com")).toBeNull());
  test("a private literal in the operator's ranges", () => {
    expect(outbound(false, ["10.1.0.0/16"]).urlProblem("https://10.1.2.3/")).toBeNull();
  });
  test("localhost if loopback is in the operator's ranges", () => {
    expect(outbound(true, ["127.0.0.0/8"]).urlProblem("http://localhost:4000/")).toBeNull();
  });
});

describe("refused", () => {
  test.each([
    ["no URL", "example.com", "not a URL"],
    ["an empty text", "", "not a URL"],
    ["http", "http://example.com", "must begin with https://."],
    ["file", "file:///etc/passwd", "must begin with https://."],
    ["a user name", "https://user@example.com", "user name or password"],
    ["a password", "https://:secret@example.com", "user name or password"],
    ["a fragment", "https://example.com/#top", "fragment"],
    ["mail's port", "https://example.com:25/", "Port 25"],
    ["port 0", "https://example.com:0/", "Port 0"],
    ["a name with a part that is too long", `https://${"a".repeat(64)}.example/`, "can exist"],
    ["a name that is too long", `https://${"a.".repeat(124)}example/`, "can exist"],
    ["a name with an empty part", "https://a..example/", "can exist"],
    ["a zone id", "https://[fe80::1%25eth0]/", "not a URL"],
  ])("%s: %s", (_, url, words) => expect(strict.urlProblem(url)).toContain(words));
  test("a scheme other than http and https, even if http is allowed", () => {
    expect(withHttp.urlProblem("ftp://example.com")).toBe("The URL must begin with https:// or http://.");
  });
});

describe("private literals in every spelling", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "%31%32%37.0.0.1",
    "①②⑦.⓪.⓪.①",
    "0",
    "10.0.0.1",
    "169.254.169.254",
    "2852039166",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::169.254.169.254]",
    "[64:ff9b:1::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2001:0:a00:1::1]",
    "[fe80::1]",
    "[fd00:ec2::254]",
    "localhost",
    "LOCALHOST.",
    "hooks.localhost",
  ])("%s", (host) => expect(strict.urlProblem(`https://${host}/`)).toContain("private or reserved"));
});
