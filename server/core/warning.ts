import { z } from "zod";

/** A remark on something that was done as requested but is probably a mistake. It refuses nothing. */
export const warningSchema = z
  .object({
    code: z.string(),
    message: z.string().meta({ description: "What is likely to be wrong, and how to mend it." }),
  })
  .meta({ id: "Warning" });

export type Warning = z.output<typeof warningSchema>;
