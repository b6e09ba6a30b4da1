import { DomainError } from "@/server/core/errors";
import { formatCode } from "@/server/credentials/code";
import { pictureNames, shownDesign, type DesignPicture, type PictureName, type ShownDesign } from "./shown-design";
import { examine } from "./verify-code";

/**
 * The address of a picture of a card on the public page; undefined if the design has none. The address changes with the
 * picture, so that browsers keep it. A picture within the page would delay everything behind it.
 */
export function picturePath(code: string, name: PictureName, { pictures }: ShownDesign): string | undefined {
  const picture = pictures[name];
  return picture && `/public/credentials/${formatCode(code)}/picture/${name}?v=${picture.version}`;
}

/**
 * Returns a picture of the card of a credential: its logo, or the background of a side.
 * @throws DomainError not_found
 */
export async function publicPicture(code: string, name: string, now: Date): Promise<DesignPicture> {
  const { evidence } = await examine(code, now);
  const { pictures } = await shownDesign(evidence);
  const known = pictureNames.find((each) => each === name);
  const picture = known && pictures[known];
  if (!picture) throw new DomainError("not_found", "The card of this credential has no such picture.");
  return picture;
}
