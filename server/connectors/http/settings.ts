import { z } from "zod";
import { outboundHeadersProblem } from "@/server/outbound/headers";
import { checkOutboundUrl } from "@/server/outbound/request";

const path = z
  .string()
  .max(300)
  .meta({ description: "Names and list positions separated by full stops, such as data.people or emails.0.value." });
const parameter = z.string().min(1).max(100);

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("bearer") }).meta({ description: "The secret is the token." }),
  z
    .strictObject({
      type: z.literal("basic"),
      username: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^:]*$/, "must have no colon"),
    })
    .meta({ description: "The secret is the password." }),
  z
    .strictObject({
      type: z.literal("header"),
      name: z
        .string()
        .min(1)
        .max(100)
        .superRefine((name, issue) => {
          const problem = outboundHeadersProblem({ [name]: "" });
          if (problem) issue.addIssue({ code: "custom", message: `cannot be sent: ${problem}` });
        }),
    })
    .meta({ description: "The secret is the header's value." }),
]);

const pagination = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z
    .strictObject({
      type: z.literal("page"),
      parameter: parameter.default("page"),
      first: z.int().min(0).max(1).default(1),
    })
    .meta({ description: "A parameter of the address holds the page number. The list ends with an empty page." }),
  z.strictObject({ type: z.literal("cursor"), parameter: parameter.default("cursor"), from: path.min(1) }).meta({
    description: "The answer holds the next cursor or the next address at the path from; the last page has none.",
  }),
  z.strictObject({ type: z.literal("link") }).meta({ description: "The header Link names the next page (RFC 8288)." }),
]);

/** The settings of a connector of type http. */
export const httpSettings = z
  .strictObject({
    url: z
      .string()
      .max(2000)
      .superRefine((url, issue) => {
        const problem = checkOutboundUrl(url);
        if (problem) issue.addIssue({ code: "custom", message: `cannot be called: ${problem}` });
      }),
    auth: auth.default({ type: "none" }),
    format: z.enum(["json", "csv"]).default("json"),
    records: path
      .default("")
      .meta({ description: "The path of the list of people in the JSON; empty if the answer itself is the list." }),
    total: path.min(1).optional().meta({
      description:
        "The path of the total number of people in the JSON. The run fails if another number of people comes.",
    }),
    pagination: pagination.default({ type: "none" }),
    since: z.strictObject({ parameter }).optional().meta({
      description:
        "For mode delta: the parameter that is set to the start of the last successful pull minus five minutes, in RFC 3339.",
    }),
    encoding: z.enum(["auto", "utf-8", "utf-16le", "utf-16be", "windows-1252"]).default("auto"),
    delimiter: z.enum(["auto", ",", ";", "\t"]).default("auto"),
  })
  .superRefine(({ format, pagination, records, total, encoding, delimiter }, issue) => {
    const csvOnly = encoding !== "auto" ? "encoding" : delimiter !== "auto" ? "delimiter" : null;
    if (format === "json" && csvOnly)
      issue.addIssue({ code: "custom", path: [csvOnly], message: "must be left out for json, which is UTF-8" });
    if (format === "json") return;
    const wrong = pagination.type !== "none" ? "pagination" : records !== "" ? "records" : total ? "total" : null;
    if (wrong)
      issue.addIssue({ code: "custom", path: [wrong], message: "must be left out for csv, which is one file" });
  });
export type HttpSettings = z.output<typeof httpSettings>;
