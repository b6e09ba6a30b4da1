import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown";

const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text })).replace(/^<div[^>]*>|<\/div>$/g, "");

describe("Markdown", () => {
  it("shows emphasis, lists and headings, without adding headings to the page", () => {
    const shown = html("# Rules\n\n**120** credits:\n\n- *thesis*\n- courses");
    expect(shown).toContain("<strong>120</strong>");
    expect(shown).toMatch(/<ul>\s*<li><em>thesis<\/em><\/li>\s*<li>courses<\/li>\s*<\/ul>/);
    expect(shown).not.toMatch(/<h\d/);
  });

  it("shows HTML as text", () => {
    expect(html("<b>x</b> <script>alert(1)</script>")).toContain("&lt;b&gt;x&lt;/b&gt; &lt;script&gt;");
    expect(html('<img src="x" onerror="alert(1)">')).not.toContain("<img");
  });

  it("loads no picture, but shows its description", () => {
    expect(html("![the seal](https://tracker.example/a.png)")).toBe("<p>the seal</p>");
  });

  it("opens a link to a website in a new tab, without a referrer, and names its host", () => {
    expect(html("[the rules](https://evil.example/a)")).toMatch(
      /<a href="https:\/\/evil\.example\/a" target="_blank" rel="noopener noreferrer nofollow"[^>]*>the rules<\/a>.* \(evil\.example\)/,
    );
  });

  it.each(["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example", "/c/X", "vbscript:x"])(
    "makes no link of %s",
    (url) => expect(html(`[here](${url})`)).not.toContain("<a"),
  );

  it.each([
    ["quotes", ">".repeat(10_000)],
    ["quotes in few lines", `${">".repeat(40)}a\n\n`.repeat(200)],
    ["lists", `${"- ".repeat(4_999)}a`],
    ["numbered lists", `${"1. ".repeat(3_000)}a`],
    ["pictures", `${"![".repeat(1_600)}a${"](b)".repeat(1_600)}`],
    ["emphasis", `${"*".repeat(4_000)}a${"*".repeat(4_000)}`],
    ["indented lists", Array.from({ length: 60 }, (_, i) => `${" ".repeat(2 * i)}- a`).join("\n")],
  ])("shows %s that nest too deep as source", (_, text) => {
    expect(html(text)).toBe(`<p class="whitespace-pre-line">${text.replaceAll(">", "&gt;")}</p>`);
  });

  it("shows a text that is too long as source", () => {
    expect(html(`**a**${"b".repeat(10_000)}`)).toContain("**a**");
  });
});
