import { badgeTypes } from "@/server/badges/baked-badge";
import { getBadgeSvg } from "@/server/badges/get-badge";
import { route } from "@/server/http/rest/route";

export const GET = route({
  operation: getBadgeSvg,
  summary: "Get the badge of an academic credential as SVG",
  description:
    "A picture with the signed document of the credential baked in (element openbadges:credential), as Open Badges 3.0 says: whoever has the picture can verify it, here or elsewhere. The picture is the achievement's; where it has none, one is drawn with the names of achievement and issuer. A program that saves the picture anew removes the credential. 409 for other kinds, 410 once the holder was erased.",
  response: null,
  download: { types: [badgeTypes.svg], description: "The badge.", revalidated: true, saved: true },
});
