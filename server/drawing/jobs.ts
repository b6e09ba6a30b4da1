import sharp from "sharp";
import { drawBadge, type BadgeText } from "./badge";
import { drawCertificate, type CertificateText } from "./certificate";
import { drawGooglePicture, type GooglePictureSource } from "./google-picture";
import { drawPassImages, type PassPictures } from "./pass-images";
import { logoWithin, pictureBehind, type Logo } from "./given-pictures";
import { drawPreview, logoBox, previewSize, type PreviewText } from "./preview";
import { readPicture, type Picture, type PictureBounds } from "./picture";

/** The jobs of the drawing processes, with their input and result. */
export interface DrawingJobs {
  badge: { given: BadgeText; result: { svg: string; png: Uint8Array } };
  certificate: { given: CertificateText; result: Uint8Array };
  preview: { given: PreviewText; result: Uint8Array };
  /** A logo, as a data URL, fitted into a box. Null if it cannot be read. */
  logo: { given: { url: string; box: { width: number; height: number } }; result: Logo | null };
  passImages: { given: PassPictures; result: Record<string, Uint8Array> };
  googlePicture: { given: GooglePictureSource; result: Uint8Array };
  picture: { given: { bytes: Uint8Array } & PictureBounds; result: Picture };
}

export type JobName = keyof DrawingJobs;
export type Job = { [Name in JobName]: { name: Name; given: DrawingJobs[Name]["given"] } }[JobName];

const jobs: { [Name in JobName]: (given: DrawingJobs[Name]["given"]) => Promise<DrawingJobs[Name]["result"]> } = {
  badge: async (text) => {
    const svg = drawBadge(text);
    return { svg, png: await pngOf(svg) };
  },
  certificate: drawCertificate,
  preview: async ({ logo, background, ...text }) =>
    pngOf(
      drawPreview(
        text,
        logo === null ? null : await logoWithin(logo, logoBox),
        background === null ? null : await pictureBehind(background, previewSize),
      ),
    ),
  logo: ({ url, box }) => logoWithin(url, box),
  passImages: drawPassImages,
  googlePicture: drawGooglePicture,
  picture: ({ bytes, ...bounds }) => readPicture(bytes, bounds),
};

/** Draws one file, in a worker process (drawing-worker.ts). */
export const runDrawingJob = ({ name, given }: Job): Promise<unknown> => jobs[name](given as never);

/** Converts one of our pictures to a bitmap. The bytes depend only on the picture. */
const pngOf = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: false }).toBuffer();
