import { route } from "@/server/http/rest/route";
import { getOrganisation } from "@/server/organisations/get";
import { updateOrganisation } from "@/server/organisations/update";
import { organisationSchema } from "@/server/organisations/view";

export const GET = route({
  operation: getOrganisation,
  summary: "Get your organisation",
  description: "Any token may read it.",
  response: organisationSchema,
});

export const PATCH = route({
  operation: updateOrganisation,
  summary: "Change your organisation's name, time zone or locale",
  description:
    "Days are days in the time zone: the last day on which a credential is valid, a date in a template's validity. The scope settings:write is in a token only where somebody chose it.",
  response: organisationSchema,
  example: { request: { timeZone: "Europe/Berlin", locale: "en-GB" } },
});
