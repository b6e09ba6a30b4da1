import type { Font } from "fontkit";
import PDFDocument from "pdfkit";
import { create } from "qrcode";
import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import type { Colors } from "./badge";
import { fitLines, lineHeight, type Fitted } from "./fit-lines";
import { guardLayout } from "./guard-layout";
import { pictureBehind } from "./given-pictures";
import { heightOf } from "./outline";
import { qrSegments } from "./qr-segments";

/** The texts of a certificate, ready to print. */
export interface CertificateText {
  /** The name of the achievement. */
  title: string;
  issuer: string;
  /** "" if none is known. */
  holder: string;
  /** The organisation's language. */
  language: string;
  colors: Colors;
  /** The issuer's logo, as PNG or JPEG. */
  logo: Uint8Array | null;
  /** The picture behind everything, a data URL of PNG, JPEG or WebP. */
  background: string | null;
  /** The typeface of the name and the title. */
  font: "sans" | "serif";
  /** Credits, results and dates, the most important first. */
  facts: { label: string; value: string }[];
  /** The text across a certificate that is not valid at present, e.g. "Revoked". */
  stamp: string | null;
  verifyUrl: string;
  /** The content of the QR code. */
  scanText: string;
  /** The signed document, which is attached as credential.json. */
  document: string;
  /** When the credential was issued: the date of the file, so that the same certificate has the same bytes. */
  issuedAt: Date;
}

type Doc = PDFKit.PDFDocument;

const [width, height] = [841.89, 595.28];
const middle = width / 2;
/** The size of the page in pixels at 150 dpi, for its background picture. */
const page = { width: 1754, height: 1240 };
const small = { style: "sans", weight: 400 } as const;

/** Draws a certificate as PDF: a page of A4, landscape. The same content gives the same bytes. */
export async function drawCertificate(text: CertificateText): Promise<Uint8Array> {
  const doc = new PDFDocument({
    size: "A4",
    layout: "landscape",
    margin: 0,
    pdfVersion: "1.7",
    lang: text.language,
    displayTitle: true,
    info: {
      Title: text.holder ? `${text.title}: ${text.holder}` : text.title,
      Author: text.issuer,
      Subject: `Verify at ${text.verifyUrl}`,
      CreationDate: text.issuedAt,
      ModDate: text.issuedAt,
    },
  });
  const pieces: Uint8Array[] = [];
  doc.on("data", (piece: Uint8Array) => pieces.push(piece));
  const ended = new Promise((resolve, reject) => doc.on("end", resolve).on("error", reject));
  const picture = text.background && (await pictureBehind(text.background, page));
  if (picture) doc.image(picture, 0, 0, { width, height });
  else drawGround(doc, text);
  drawHead(doc, text);
  drawAward(doc, text);
  drawFacts(doc, text);
  drawProof(doc, text);
  if (text.stamp) drawStamp(doc, text.stamp, text.language);
  attach(doc, text);
  doc.end();
  await ended;
  return Buffer.concat(pieces);
}

/** The middle of the award and of the oval that is left free for it. */
const middleOfAward = ({ logo }: Pick<CertificateText, "logo">): number => (logo ? 270 : 252);
/** The most that a line of the award takes of the oval, which is 510 wide. */
const widestAward = 440;

function drawGround(doc: Doc, { colors: { background, accent }, logo }: CertificateText): void {
  doc.rect(0, 0, width, height).fill(background);
  doc
    .save()
    .translate(middle, middleOfAward({ logo }))
    // An oval is left free, in which the lines of text fit.
    .scale(1.7, 1)
    .lineWidth(0.4)
    .strokeColor(accent)
    .strokeOpacity(0.13);
  for (let turn = 0; turn < 40; turn++) doc.rotate(4.5).ellipse(0, 0, 420, 150).stroke();
  doc.restore();
  doc
    .save()
    .lineWidth(1.6)
    .strokeColor(accent)
    .rect(24, 24, width - 48, height - 48)
    .stroke();
  doc
    .lineWidth(0.6)
    .strokeOpacity(0.6)
    .rect(30, 30, width - 60, height - 60)
    .stroke()
    .restore();
}

function drawHead(doc: Doc, { issuer, language, colors, logo }: CertificateText): void {
  const name = fitLines(issuer, {
    style: "sans",
    weight: 700,
    language,
    width: 440,
    height: 40,
    largest: 20,
    smallest: 10,
  });
  let top = 56;
  if (logo) {
    doc.image(Buffer.from(logo), middle - 90, top - 4, { fit: [180, 44], align: "center", valign: "center" });
    top += 50;
  }
  write(doc, name, middle, top, colors.foreground);
}

function drawAward(doc: Doc, { title, holder, language, colors, logo, font }: CertificateText): void {
  const style = { style: font, language } as const;
  const name = fitLines(holder || builtInWord("the holder of this credential", language), {
    ...style,
    weight: 400,
    width: widestAward,
    height: 100,
    largest: 46,
    smallest: 15,
  });
  const award = fitLines(title, { ...style, weight: 700, width: widestAward, height: 84, largest: 29, smallest: 13 });
  const gap = 13;
  const label = 10.5;
  const total = label + gap + heightOf(name) + gap * 1.4 + label + gap + heightOf(award);
  let y = middleOfAward({ logo }) - total / 2;
  writeLabel(doc, "This certifies that", language, y, colors.foreground);
  y += label + gap;
  write(doc, name, middle, y, colors.foreground);
  y += heightOf(name) + gap * 1.4;
  writeLabel(doc, "has been awarded", language, y, colors.foreground);
  y += label + gap;
  write(doc, award, middle, y, colors.accent);
}

/** A column of labels and values on the left, next to the QR code. */
function drawFacts(doc: Doc, { facts, language, colors }: CertificateText): void {
  const columns = 3;
  const [left, columnWidth, rowHeight] = [64, 186, 44];
  const rows = Math.ceil(facts.length / columns);
  const top = height - 64 - rows * rowHeight;
  facts.forEach(({ label, value }, index) => {
    const x = left + (index % columns) * columnWidth;
    const y = top + Math.floor(index / columns) * rowHeight;
    const box = { ...small, language, width: columnWidth - 16 };
    const head = fitLines(label, { ...box, height: 10, largest: 8.5, smallest: 6 });
    const body = fitLines(value, { ...box, weight: 700, height: 22, largest: 11.5, smallest: 7.5 });
    doc.fillOpacity(0.7);
    write(doc, head, x, y, colors.foreground, "left");
    doc.fillOpacity(1);
    write(doc, body, x, y + 12, colors.foreground, "left");
  });
}

function drawProof(doc: Doc, { scanText, verifyUrl, language, colors }: CertificateText): void {
  const { modules } = create(qrSegments(scanText), { errorCorrectionLevel: "M" });
  const side = 92;
  const [x, y] = [width - 64 - side, height - 74 - side];
  const module = side / (modules.size + 8);
  doc.rect(x, y, side, side).fill("#ffffff");
  for (let row = 0; row < modules.size; row++)
    for (let from = 0; from < modules.size; from++) {
      const start = from;
      while (from < modules.size && modules.data[row * modules.size + from]) from++;
      if (from > start) doc.rect(x + (start + 4) * module, y + (row + 4) * module, (from - start) * module, module);
    }
  doc.fill("#000000");
  doc.link(x, y, side, side, verifyUrl);
  const box = { ...small, language, width: width - 128, height: 10, largest: 8.5, smallest: 5 };
  const url = fitLines(verifyUrl, { ...box, width: 330 });
  const wide = url.lines[0]?.width ?? 0;
  write(doc, url, width - 64 - wide, height - 64, colors.foreground, "left");
  doc.link(width - 64 - wide, height - 64, wide, 10, verifyUrl);
  const note = builtInWord(
    "Scan the code or open the address to see whether this is valid today. The signed credential is attached to this file.",
    language,
  );
  doc.fillOpacity(0.7);
  write(
    doc,
    fitLines(note, { ...box, width: 360, height: 22, largest: 7.5 }),
    64,
    height - 64,
    colors.foreground,
    "left",
  );
  doc.fillOpacity(1);
}

function drawStamp(doc: Doc, stamp: string, language: string): void {
  const word = fitLines(stamp.toUpperCase(), {
    style: "sans",
    weight: 700,
    language,
    width: 200,
    height: 32,
    largest: 26,
    smallest: 12,
  });
  const wide = Math.max(...word.lines.map((line) => line.width)) + 36;
  // In the corner, never over the name, so that readers can still see whose certificate it is.
  doc
    .save()
    .translate(width - 60 - wide / 2, 84)
    .rotate(8);
  doc.roundedRect(-wide / 2, -25, wide, 50, 8).fill("#fff4f2");
  doc
    .lineWidth(3)
    .roundedRect(-wide / 2, -25, wide, 50, 8)
    .stroke("#b3261e");
  write(doc, word, 0, -heightOf(word) / 2, "#b3261e");
  doc.restore();
}

function attach(doc: Doc, { document, issuedAt }: CertificateText): void {
  // Assigned to a variable first, because the types of pdfkit lack `relationship`.
  const options = {
    name: "credential.json",
    type: "application/json",
    description: "The signed credential (Open Badges 3.0), which any verifier reads",
    creationDate: issuedAt,
    modifiedDate: issuedAt,
    relationship: "Data",
  };
  doc.file(Buffer.from(document), options);
}

function writeLabel(doc: Doc, label: BuiltInWord, language: string, y: number, color: string): void {
  const fitted = fitLines(builtInWord(label, language), {
    ...small,
    language,
    width: 400,
    height: 12,
    largest: 10.5,
    smallest: 10.5,
  });
  doc.fillOpacity(0.72);
  write(doc, fitted, middle, y, color);
  doc.fillOpacity(1);
}

/** The font that pdfkit opened last, which its types lack. */
const fontOf = (doc: Doc) => (doc as unknown as { _font: { font: Font } })._font.font;

/**
 * Writes lines as text that can be searched and copied, starting at the top of the first. `x` is their middle or left
 * end.
 */
function write(doc: Doc, { lines, size }: Fitted, x: number, top: number, color: string, align = "middle"): void {
  doc.fillColor(color, undefined as never).fontSize(size);
  lines.forEach((line, index) => {
    let at = align === "middle" ? x - line.width / 2 : x;
    const baseline = top + size * (0.86 + index * lineHeight);
    for (const { text, face, width: share } of line.runs) {
      // With the option `features`, even an empty one, pdfkit shapes the run as a whole, as fontkit did when it was
      // measured.
      doc.font(face.path);
      guardLayout(fontOf(doc));
      doc.text(text, at, baseline, { lineBreak: false, features: [], baseline: "alphabetic" });
      at += share * size;
    }
  });
}
