import { z } from "zod";
import { isFields, type Fields } from "./protocol/values";

/** A body of SCIM. The tables of attributes validate its content. */
export const requestBody = z.custom<Fields>(isFields, "must be a JSON object");
