import { isIP } from "node:net";
import { z } from "zod";
import { env } from "@/server/core/env";

/** A host name with a dot, in the form of a URL (Punycode, lower case), with a port where it is not 443. */
export const domainName = z
  .string()
  .trim()
  .max(300)
  .transform((text, issue) => {
    const url = /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`https://${text}`) : null;
    const isName =
      url &&
      !isIP(url.hostname) &&
      /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(url.hostname);
    if (url && isName && url.hostname.length <= 200 && url.host !== new URL(env().PUBLIC_URL).host) return url.host;
    issue.addIssue({
      code: "custom",
      message: "must be a domain of yours, such as credentials.example.edu, and not that of this service",
    });
    return z.NEVER;
  })
  .meta({ description: "A domain of yours, such as credentials.example.edu; with a port where it is not 443." });
