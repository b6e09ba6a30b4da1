import { z } from "zod";
import { Upload } from "./upload";

/**
 * A file in the input of an operation. REST takes it as the body or as a part of a form; other callers hand over a
 * received one.
 */
export const upload = z.instanceof(Upload, { error: "must be a file" });
