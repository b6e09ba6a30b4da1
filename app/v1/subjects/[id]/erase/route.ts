import { eraseSubject } from "@/server/erasure/erase-subject";
import { route } from "@/server/http/rest/route";
import { subjectSchema } from "@/server/subjects/view";

export const POST = route({
  operation: eraseSubject,
  summary: "Erase a person",
  description: [
    "Where the law asks for it. Name, e-mail, attributes, data of credentials, reasons and notes are blanked wherever they are stored, events and deliveries that are still due included (they carry `erased: true`). Ids, codes, states, dates and counts stay.",
    "Live credentials are revoked; academic ones stay valid, and name nobody, unless `includeAcademic` is true. The externalId becomes a keyed hash: a later write that names the person is 409 `subject_erased`. It cannot be undone; erasing twice changes nothing.",
    "Rules of groups stay as they were written. The person matches none any more; a rule that holds their externalId, name or e-mail is to be changed with `PATCH /v1/groups/{id}`.",
  ].join("\n\n"),
  response: subjectSchema,
  example: {
    request: { reason: "Request 2026-114 of 19 November", includeAcademic: false },
    response: {
      id: "sub_01k4b2hz3ge5d8s7a6p4c2b1n0",
      object: "subject",
      externalId: "erased:9q3Vw0nJr5mXkT2yB7cLz8aHf1dGsE4uPiQoR6tNvYM",
      displayName: "",
      email: null,
      status: "inactive",
      attributes: {},
      erasedAt: "2026-11-21T09:00:00.000Z",
      photoUpdatedAt: null,
      photoStatus: null,
      photoReason: null,
      photoSetBy: null,
      createdAt: "2026-09-01T08:00:00.000Z",
      updatedAt: "2026-11-21T09:00:00.000Z",
    },
  },
});
