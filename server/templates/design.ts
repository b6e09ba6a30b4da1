import { z } from "zod";
import { line } from "@/server/core/input";
import { binding, photoBinding } from "./binding";

const color = z.string().regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #1a2b3c");

// Images are embedded in the design, so a page that shows a credential loads nothing from another host.
const image = (kibibytes: number) =>
  z
    .string()
    .max(kibibytes * 1024, `must not be over ${kibibytes} KiB`)
    .regex(
      /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/,
      "must be a data URL of a PNG, JPEG or WebP image",
    )
    .meta({ description: `A data URL (image/png, image/jpeg or image/webp; base64) of at most ${kibibytes} KiB.` });

const locale = z.string().regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, "must be a language tag such as en or pt-BR");

/** One text for all locales, or one text for each. */
const localized = (max: number) =>
  z.union([
    line(max),
    z.record(locale, line(max)).refine((texts) => Object.keys(texts).length > 0, "must name a locale"),
  ]);

/** How a value is written. The kinds of date: 19 January 2029, 19/01/2029, January 2029, 2029. */
export const fieldFormats = ["text", "uppercase", "date", "date_short", "month", "year", "datetime", "number"] as const;
export type FieldFormat = (typeof fieldFormats)[number];

export const fieldWidths = ["quarter", "third", "half", "full"] as const;

/** The typefaces of cards, all of them shipped with the service. */
export const cardFonts = ["sans", "serif"] as const;

const cell = (max: number) => z.int().min(1).max(max);

const field = z
  .strictObject({
    key: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, "must begin with a letter and hold letters, digits, _ and - alone"),
    label: localized(100).optional(),
    binding: binding.optional(),
    text: localized(500).optional().meta({ description: "Fixed text, in place of a binding." }),
    format: z.enum(fieldFormats).optional(),
    width: z.enum(fieldWidths).optional().meta({
      description:
        "How much of its row a field without a position takes. Without a width, a field is as wide as its text on the front and half a row on the back.",
    }),
    position: z
      .strictObject({ column: cell(12), row: cell(24), columns: cell(12).optional(), rows: cell(24).optional() })
      .optional()
      .meta({ description: "On a grid of 12 columns and 24 rows, counted from 1 at the top left." }),
  })
  .refine((value) => (value.binding === undefined) !== (value.text === undefined), "needs either a binding or a text");

const side = z.strictObject({
  background: image(384).optional(),
  fields: z.array(field).max(40).default([]),
});

/** The barcodes besides QR that readers of libraries and gates know. */
export const barcodeFormats = ["code39", "codabar"] as const;

const wallet = z
  .strictObject({
    apple: z.boolean().optional().meta({ description: "Whether holders can add it to Apple Wallet." }),
    google: z.boolean().optional().meta({ description: "Whether holders can add it to Google Wallet." }),
    barcode: z
      .strictObject({
        format: z.enum(barcodeFormats),
        field: z.string().max(64).meta({ description: "The key of the public field whose value the barcode holds." }),
      })
      .optional()
      .meta({
        description:
          "A barcode for readers that know no QR code, where the phone can show it. Without it, or where the value does not fit the format, the QR code of the public page.",
      }),
  })
  .optional()
  .meta({
    description:
      "In which wallets holders can keep credentials of this design. Whoever has the code can add a pass, so it shows what the public page shows.",
  });

/** How the credentials of a template look, and which of their fields are public (contract section 6). */
export const design = z
  .strictObject({
    colors: z
      .strictObject({ background: color.optional(), foreground: color.optional(), accent: color.optional() })
      .optional(),
    logo: image(128).optional(),
    font: z.enum(cardFonts).optional().meta({
      description:
        "The typeface: sans (Inter) or serif (Noto Serif). Without it, cards are set in sans, and names on certificates in the serif of the reader's device. Wallet passes have the typeface of the phone.",
    }),
    front: side.optional(),
    back: side.optional(),
    publicFields: z
      .array(z.string().max(64))
      .max(80)
      .optional()
      .meta({ description: "The keys of the fields that the public page and verification show. None unless named." }),
    publicName: z.boolean().optional().meta({
      description:
        "Whether the public page and verification name the holder. true unless given. With false, publicFields cannot hold a field that shows subject.displayName.",
    }),
    photoApproval: z
      .boolean()
      .optional()
      .meta({ description: "Whether a photo is shown only once somebody has approved it." }),
    searchable: z.boolean().optional().meta({
      description:
        "Whether search engines may list the public pages of valid credentials. false unless given: the pages name people, and a search engine may keep a name for some time after an erasure.",
    }),
    wallet,
    signedQr: z.boolean().optional().meta({
      description:
        "Whether the QR code holds a signed statement after its link, which the scanner checks without a connection: code, kind, title, the holder's name unless publicName is false, issuer and dates. false unless given. The code gets finer, so print it at 25 mm or more.",
    }),
  })
  .superRefine((value, issue) => {
    if (fieldsOf(value).filter((each) => each.binding === photoBinding).length > 1)
      issue.addIssue({ code: "custom", params: { code: "repeated" }, message: "shows the photo more than once" });
    const keys = fieldsOf(value).map((each) => each.key);
    const repeated = keys.find((key, i) => keys.indexOf(key) !== i);
    if (repeated)
      issue.addIssue({
        code: "custom",
        params: { code: "repeated" },
        message: `holds two fields with the key ${JSON.stringify(repeated)}`,
      });
    const barcode = value.wallet?.barcode?.field;
    if (barcode !== undefined && !value.publicFields?.includes(barcode))
      issue.addIssue({
        code: "custom",
        path: ["wallet", "barcode", "field"],
        message: "must be one of publicFields: whoever has the code can add the pass and read the barcode",
      });
    const names = value.publicName === false ? nameFieldsOf(value) : [];
    value.publicFields?.forEach((key, i) => {
      const message = !keys.includes(key)
        ? "is not the key of a field of this design"
        : names.some((each) => each.key === key)
          ? "shows the holder's name, which publicName: false keeps from the public"
          : null;
      if (message) issue.addIssue({ code: "custom", path: ["publicFields", i], message });
    });
  })
  .meta({ id: "Design" });

export type Design = z.output<typeof design>;
export type DesignField = z.output<typeof field>;

/** The fields of both sides, front first. */
export function fieldsOf(value: Pick<Design, "front" | "back">): DesignField[] {
  return [...(value.front?.fields ?? []), ...(value.back?.fields ?? [])];
}

/** The fields that show the holder's name. */
export function nameFieldsOf(value: Pick<Design, "front" | "back">): DesignField[] {
  return fieldsOf(value).filter((each) => each.binding === "subject.displayName");
}

/** Whether verification tells the holder's name for credentials of this design (decision 284). */
export const namesHolder = ({ publicName }: Pick<Design, "publicName">): boolean => publicName !== false;

/** Whether search engines may list the public pages of credentials of this design (decision 514). */
export const isSearchable = ({ searchable }: Pick<Design, "searchable">): boolean => searchable === true;

/** Whether the QR code of credentials of this design holds a signed statement (decision 517). */
export const signsQr = ({ signedQr }: Pick<Design, "signedQr">): boolean => signedQr === true;

/**
 * Which photos a card of this design shows; null for none. Stored beside the design, for verification and for the queue
 * of photos that await approval.
 */
export function photoUse(value: Design): "any" | "approved" | null {
  if (!fieldsOf(value).some((each) => each.binding === photoBinding)) return null;
  return value.photoApproval ? "approved" : "any";
}

/** Whether a card of this design shows the photo of a subject. Verification asks the same in SQL (find-by-code.ts). */
export function showsPhoto(
  value: Design,
  { photoStatus }: { photoStatus: "pending" | "approved" | "rejected" | null },
): boolean {
  const use = photoUse(value);
  return photoStatus === "approved" ? use !== null : photoStatus === "pending" && use === "any";
}

/**
 * Returns the bindings to the subject that a design reads, each once. Stored beside the design for the snapshot at
 * issue.
 */
export function subjectBindings(value: Design): string[] {
  const read = fieldsOf(value).flatMap((each) => each.binding ?? []);
  return [...new Set(read.filter((name) => name.startsWith("subject.") || name.startsWith("attributes.")))];
}

/**
 * Returns the public fields as JSON, in the order of publicFields; null for none. Stored beside the design for
 * verification.
 */
export function publicFieldsJson(value: Design): string | null {
  const fields = (value.publicFields ?? []).flatMap((key) => fieldsOf(value).filter((each) => each.key === key));
  return fields.length > 0 ? JSON.stringify(fields) : null;
}
