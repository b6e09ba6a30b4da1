import { z } from "zod";
import { id, line, wholeNumber } from "@/server/core/input";
import { design } from "./design";
import { validity } from "./validity";

export const templateName = line(200).min(1, "must not be empty");

export const slug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, "must be lower-case letters, digits and hyphens, at most 63")
  .meta({ description: "Unique in the organisation. Made of the name unless sent." });

export const repeatable = z.boolean().meta({
  description:
    "Whether a person can hold several live credentials of the template, such as a prize that is won twice. It can change until the template is first published. ifExists is then not allowed at issue; a policy issues one.",
});

export const confirmName = z.boolean().meta({
  description:
    "Whether holders confirm their name before a credential is issued. Issuing then makes a name confirmation, and the holder gets a link by e-mail. A change does not decide on the requests that wait.",
});

/** The fields of a version. A new version or a change keeps the previous value of a field that is absent. */
export const versionFields = {
  design: design.optional(),
  validity: validity.optional(),
  achievementId: id("ach").nullable().optional().meta({
    description:
      "The achievement that credentials of an academic template state, in the version that is current at issue. null or never sent: one made of the template's name.",
  }),
};

/** A version's number. */
export const versionNumber = wholeNumber(1, 999_999_999);

export const versionPath = { id: id("tpl"), version: versionNumber };
