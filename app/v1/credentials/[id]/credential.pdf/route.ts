import { getCertificate } from "@/server/badges/get-certificate";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getCertificate,
  summary: "Get the certificate of an academic credential as PDF",
  description:
    "One page of A4, landscape: the holder, the achievement, the issuer, dates, credits and results, a QR code of the verify URL, and the signed document attached as credential.json. Names print in any script. The same bytes each time, until what it says changes. A credential that is not valid has its state written on it. 409 for other kinds, 410 once the holder was erased.",
  response: null,
  download: { types: ["application/pdf"], description: "The certificate.", revalidated: true, saved: true },
});
