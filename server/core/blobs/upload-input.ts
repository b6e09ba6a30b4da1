import { z } from "zod";
import { Upload } from "./upload";

/**
 * A file in the input of an operation. REST accepts it as the body or as a part of a form; other callers pass an
 * Upload.
 */
export const upload = z.instanceof(Upload, { error: "must be a file" });
