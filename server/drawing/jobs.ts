import sharp from "sharp";
import { drawBadge, type BadgeText } from "./badge";

/** The jobs of the drawing processes, with their input and result. */
export interface DrawingJobs {
  badge: { given: BadgeText; result: { svg: string; png: Uint8Array } };
}

export type JobName = keyof DrawingJobs;
export type Job = { [Name in JobName]: { name: Name; given: DrawingJobs[Name]["given"] } }[JobName];

const jobs: { [Name in JobName]: (given: DrawingJobs[Name]["given"]) => Promise<DrawingJobs[Name]["result"]> } = {
  badge: async (text) => {
    const svg = drawBadge(text);
    return { svg, png: await pngOf(svg) };
  },
};

/** Draws one file, in a worker process (drawing-worker.ts). */
export const runDrawingJob = ({ name, given }: Job): Promise<unknown> => jobs[name](given as never);

/** Rasters a picture of ours. Its bytes depend on the picture alone. */
const pngOf = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: 9, palette: false }).toBuffer();
