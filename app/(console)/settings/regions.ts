import type { Option } from "@/components/ui/choice";
import { formatDay } from "@/server/core/dates";

/**
 * All time zones that the browser knows, each with its present offset from UTC. `current` is included even if the
 * browser lists it under another name.
 */
export function zoneOptions(current: string, now: Date): Option<string>[] {
  const names = new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), current]);
  return [...names].map((value) => ({ value, label: value.replaceAll("_", " "), description: offsetOf(value, now) }));
}

function offsetOf(timeZone: string, now: Date): string {
  const part = (timeZoneName: "longOffset" | "long") =>
    new Intl.DateTimeFormat("en-GB", { timeZone, timeZoneName })
      .formatToParts(now)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  const offset = part("longOffset").replace("GMT", "UTC");
  return [offset, part("long")].filter((text) => text !== "").join(" · ");
}

// Commonly used locales, because Intl cannot list the locales that it supports. The API accepts others too.
const tags = [
  "en-GB",
  "en-US",
  "en-AU",
  "en-CA",
  "en-IE",
  "en-IN",
  "en-NZ",
  "en-SG",
  "en-ZA",
  "sv-SE",
  "ar-EG",
  "bg-BG",
  "bn-BD",
  "ca-ES",
  "cs-CZ",
  "da-DK",
  "de-AT",
  "de-CH",
  "de-DE",
  "el-GR",
  "es-AR",
  "es-CL",
  "es-CO",
  "es-ES",
  "es-MX",
  "es-PE",
  "et-EE",
  "fi-FI",
  "fil-PH",
  "fr-BE",
  "fr-CA",
  "fr-CH",
  "fr-FR",
  "he-IL",
  "hi-IN",
  "hr-HR",
  "hu-HU",
  "id-ID",
  "is-IS",
  "it-CH",
  "it-IT",
  "ja-JP",
  "ko-KR",
  "lt-LT",
  "lv-LV",
  "ms-MY",
  "nb-NO",
  "nl-BE",
  "nl-NL",
  "pl-PL",
  "pt-BR",
  "pt-PT",
  "ro-RO",
  "ru-RU",
  "sk-SK",
  "sl-SI",
  "sr-RS",
  "sw-KE",
  "ta-IN",
  "th-TH",
  "tr-TR",
  "uk-UA",
  "ur-PK",
  "vi-VN",
  "zh-Hans-CN",
  "zh-Hant-HK",
  "zh-Hant-TW",
];

/** Locales to choose from, each with a date written in it. */
export function localeOptions(current: string): Option<string>[] {
  const names = new Intl.DisplayNames("en", { type: "language" });
  return [...new Set([...tags, current])]
    .map((value) => ({
      value,
      label: names.of(value) ?? value,
      description: formatDay("2029-01-19", { timeZone: "UTC", locale: value }),
    }))
    .sort((a, b) => a.label.localeCompare(b.label, "en"));
}
