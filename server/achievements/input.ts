import { id, line, wholeNumber } from "@/server/core/input";

export const achievementName = line(200).min(1, "must not be empty");

/** A version's number. */
export const versionNumber = wholeNumber(1, 999_999_999);

export const versionPath = { id: id("ach"), version: versionNumber };
