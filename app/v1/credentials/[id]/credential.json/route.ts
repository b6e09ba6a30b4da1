import { documentTypes } from "@/server/badges/document-form";
import { getCredentialDocument } from "@/server/badges/get-document";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getCredentialDocument,
  summary: "Get the signed document of an academic credential",
  description:
    "An OpenBadgeCredential (Open Badges 3.0, VCDM 2.0) with an eddsa-rdfc-2022 proof; the same credential as vc+jwt where Accept names application/vc+jwt first. The same bytes each time, until what it says changes. It states no name: the holder is a salted hash of the e-mail address, or of the external id. 409 for other kinds, 410 once the holder was erased.",
  response: null,
  download: { types: documentTypes, description: "The document." },
  fromHeaders: (headers) => ({ accept: headers.get("accept") ?? undefined }),
});
