import { z } from "zod";

/** Something that was done as asked and is likely to be a mistake. It refuses nothing. */
export const warningSchema = z
  .object({
    code: z.string(),
    message: z.string().meta({ description: "What is likely to be wrong, and how to mend it." }),
  })
  .meta({ id: "Warning" });

export type Warning = z.output<typeof warningSchema>;
