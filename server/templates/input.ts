import { z } from "zod";
import { id, line } from "@/server/core/input";
import { design } from "./design";
import { validity } from "./validity";

export const templateName = line(200).min(1, "must not be empty");

export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits and hyphens, at most 63")
  .meta({ description: "Unique in the organisation. Made of the name unless sent." });

/** What a version holds. On a new version or a change, what is absent stays as it was. */
export const versionFields = { design: design.optional(), validity: validity.optional() };

/** A version's number as it stands in a path. */
const versionNumber = z
  .union([z.int(), z.string().regex(/^\d{1,9}$/, "must be a version's number").transform(Number)])
  .meta({ override: { type: "integer", minimum: 1 } });

export const versionPath = { id, version: versionNumber };
