import type { CSSProperties } from "react";
import type { CredentialState } from "@/server/credentials/states";
import type { Design } from "@/server/templates/design";
import type { TemplateKind } from "@/server/templates/view";
import { builtInWord, type BuiltInWord } from "@/server/core/built-in-words";
import type { Region } from "@/server/core/dates";
import { photoBinding } from "@/server/templates/binding";
import { Back } from "./card/back";
import { fieldsOfSide, type CardField, type SideField } from "./card/card-field";
import { FieldRows } from "./card/field-rows";
import { fitText } from "./card/fit-text";
import { Grid } from "./card/grid";
import { Guilloche } from "./card/guilloche";
import { Labelled } from "./card/labelled";
import { paletteOf } from "@/server/templates/palette";
import { Portrait } from "./card/portrait";
import { looseFields } from "./card/rows";
import { IssuerMark } from "./logo";

export interface CardProps {
  kind: TemplateKind;
  /** The template's name. */
  title: string;
  issuer: string;
  /** The holder's name; "" if none is shown, and then `unnamed` is shown instead. */
  holder: string;
  unnamed?: string;
  design: Design;
  /** The side to show; the front by default. */
  side?: "front" | "back";
  /** The values of the design's fields, in any order. A field without a value here is left out. */
  fields: CardField[];
  /** The URL of the photo, for a design that has a place for one. */
  photo?: string | undefined;
  /** The locale for dates, and for our own words on the card. */
  region: Region;
  /** A state other than active is written across the card. */
  state?: CredentialState;
  /** Written across the card instead of the state, e.g. "Replaced". */
  stamp?: string | undefined;
  className?: string;
}

const kindWords: Record<TemplateKind, BuiltInWord> = {
  membership: "Membership",
  employee_id: "Employee",
  student_id: "Student",
  academic: "Certificate",
};
const stateWords: Partial<Record<CredentialState, BuiltInWord>> = {
  pending: "Not yet valid",
  suspended: "Suspended",
  expired: "Expired",
  revoked: "Revoked",
};

/** One side of a credential. It takes the available width; all of its sizes are shares of that width (cqw). */
export function CredentialCard({
  kind,
  title,
  issuer,
  holder,
  unnamed,
  design,
  side = "front",
  fields,
  photo,
  region,
  state,
  stamp,
  className = "",
}: CardProps) {
  const certificate = kind === "academic";
  const { background: ground, foreground, accent } = paletteOf(kind, design.colors);
  const say = (...[word, values]: [BuiltInWord, Record<string, string>?]) => builtInWord(word, region.locale, values);
  const stateWord = state && stateWords[state];
  const word = stamp ?? (stateWord && say(stateWord));
  const name = holder || (unnamed ?? say("Name of the holder"));
  const names = { title, issuer, holder: holder || say("its holder") };
  const isBack = side === "back";
  const shown = fieldsOfSide(design[side], fields, region);
  const place =
    photo === undefined || isBack
      ? undefined
      : (design.front?.fields ?? []).find(({ binding }) => binding === photoBinding);
  const placed = shown.filter(({ position }) => position);
  const flowing = shown.filter(({ position, text }) => !position && (isBack || text !== holder));
  const background = design[side]?.background;
  return (
    <div
      className={`@container w-full ${className}`}
      role="img"
      aria-label={`${say(isBack ? "Back of {title}, issued by {issuer} to {holder}" : "{title}, issued by {issuer} to {holder}", names)}${word ? `: ${word}` : ""}`}
    >
      <div
        className={`relative isolate flex flex-col overflow-hidden ${certificate ? "aspect-[1.414] rounded-[1.6cqw]" : "aspect-[1.586] rounded-[4.2cqw]"} ${typefaces[design.font ?? "usual"]} shadow-[0_1px_2px_rgb(0_0_0/12%),0_12px_32px_-12px_rgb(0_0_0/35%)]`}
        style={{ background: ground, color: foreground }}
      >
        <div className="absolute inset-0 -z-10" style={{ color: accent }}>
          {background ? <Backdrop src={background} /> : <Guilloche certificate={certificate} />}
        </div>
        <div className={`relative flex min-h-0 flex-1 flex-col ${word ? "opacity-55" : ""}`}>
          {isBack ? (
            <Back {...{ title, issuer, accent, logo: design.logo, fields: flowing }} />
          ) : certificate ? (
            <Certificate
              {...{ title, issuer, name, accent, logo: design.logo, fields: flowing, say }}
              font={design.font}
            />
          ) : (
            <IdCard
              {...{
                title,
                issuer,
                holder,
                name,
                accent,
                kindWord: say(kindWords[kind]),
                logo: design.logo,
                fields: flowing,
                photo: place && !place.position ? photo : undefined,
              }}
            />
          )}
          {(placed.length > 0 || place?.position) && (
            <Grid
              fields={placed}
              holder={holder}
              photo={place?.position && photo ? { src: photo, position: place.position } : undefined}
            />
          )}
        </div>
        {word && <Stamp word={word} severe={state === "revoked" && !stamp} certificate={certificate} />}
      </div>
    </div>
  );
}

/** The typeface of each font of a design. The service ships both: see brand.css. */
const typefaces = { usual: "", sans: "font-sans", serif: "font-card-serif" };

const sized = (text: string, box: Parameters<typeof fitText>[1]): CSSProperties => ({
  fontSize: `${fitText(text, box)}cqw`,
});

interface LayoutProps {
  title: string;
  issuer: string;
  /** The holder's name, or the text that replaces it. */
  name: string;
  accent: string;
  logo: string | undefined;
  fields: SideField[];
}

function IdCard({
  title,
  issuer,
  holder,
  name,
  accent,
  logo,
  fields,
  kindWord,
  photo,
}: LayoutProps & { holder: string; kindWord: string; photo: string | undefined }) {
  const [width, largest] = photo ? [60, 6] : [88, 7.4];
  return (
    <div className="flex h-full flex-col p-[6cqw]">
      <div className="flex items-start justify-between gap-[4cqw]">
        <Issuer issuer={issuer} logo={logo} accent={accent} />
        <span className="shrink-0 pt-[1.1cqw] text-[2.7cqw] font-medium tracking-[0.12em] uppercase opacity-75">
          {kindWord}
        </span>
      </div>
      <div className="mt-auto flex min-h-0 items-end gap-[4.6cqw]">
        {photo && <Portrait src={photo} name={holder} alt="" className="w-[23cqw] shrink-0 rounded-[1.8cqw]" />}
        <div className="min-w-0 flex-1">
          <p
            className="leading-snug font-medium wrap-anywhere"
            style={{ color: accent, ...sized(title, { width, height: 8.6, largest: 3.1, lineHeight: 1.375 }) }}
          >
            <bdi>{title}</bdi>
          </p>
          <p
            className="leading-[1.12] font-semibold tracking-[-0.02em] text-balance wrap-anywhere"
            style={sized(name, { width, height: 2.3 * largest, largest, lineHeight: 1.12 })}
          >
            <bdi>{name}</bdi>
          </p>
          {photo && (
            <Fields fields={fields} className="mt-[2.6cqw] max-h-[21.5cqw] gap-x-[4.4cqw] overflow-hidden" wide />
          )}
        </div>
      </div>
      {!photo && <Fields fields={fields} className="mt-[4.2cqw] gap-x-[6cqw]" />}
    </div>
  );
}

function Fields({ fields, className, wide = false }: { fields: SideField[]; className: string; wide?: boolean }) {
  if (fields.length === 0) return null;
  if (fields.some(({ width }) => width))
    return (
      <FieldRows fields={fields} side="front" width={wide ? 60 : 88} className={wide ? "mt-[2.6cqw]" : "mt-[4.2cqw]"} />
    );
  return (
    <div className={`flex flex-wrap gap-y-[2cqw] ${className}`}>
      {fields.slice(0, looseFields).map((field) => (
        <Labelled key={field.key} field={field} wide={wide} />
      ))}
    </div>
  );
}

function Certificate({
  title,
  issuer,
  name,
  accent,
  logo,
  fields,
  font,
  say,
}: LayoutProps & { font: Design["font"]; say(word: BuiltInWord): string }) {
  // If the design sets no font, the award is set in a serif font of the device.
  const face = font === undefined ? "font-serif" : "";
  return (
    <div
      className="m-[2.6cqw] flex flex-1 flex-col items-center border p-[3.4cqw] text-center outline outline-offset-[0.9cqw]"
      style={{ borderColor: accent, outlineColor: `${accent}66` }}
    >
      <Issuer issuer={issuer} logo={logo} accent={accent} />
      <div className="my-auto w-full">
        <p className="text-[2.1cqw] tracking-[0.14em] uppercase opacity-70">{say("This certifies that")}</p>
        <p
          className={`mx-auto mt-[1.2cqw] max-w-[80cqw] ${face} leading-[1.15] text-balance wrap-anywhere`}
          style={sized(name, { width: 78, height: 15, largest: 6.4, lineHeight: 1.15 })}
        >
          <bdi>{name}</bdi>
        </p>
        <p className="mt-[1.4cqw] text-[2.1cqw] tracking-[0.14em] uppercase opacity-70">{say("has been awarded")}</p>
        <p
          className={`mx-auto mt-[1.2cqw] max-w-[76cqw] ${face} leading-tight text-balance wrap-anywhere`}
          style={{ color: accent, ...sized(title, { width: 74, height: 14, largest: 3.7, lineHeight: 1.25 }) }}
        >
          <bdi>{title}</bdi>
        </p>
      </div>
      <div className="flex w-full flex-wrap items-end justify-center gap-x-[7cqw] gap-y-[1.6cqw]">
        {fields.slice(0, looseFields).map((field) => (
          <Labelled key={field.key} field={field} small />
        ))}
      </div>
    </div>
  );
}

function Issuer({ issuer, logo, accent }: { issuer: string; logo: string | undefined; accent: string }) {
  return (
    <div className="flex min-w-0 items-center gap-[2.4cqw]">
      {/* The text of a page comes before the pictures of its card. */}
      {logo ? (
        <img src={logo} alt="" fetchPriority="low" className="h-[7.5cqw] max-w-[24cqw] object-contain" />
      ) : (
        <IssuerMark className="size-[6.6cqw] shrink-0" style={{ color: accent }} />
      )}
      <span
        className="min-w-0 leading-tight font-semibold tracking-[-0.005em] wrap-anywhere"
        style={sized(issuer, { width: 46, height: 8.8, largest: 3.5, lineHeight: 1.25 })}
      >
        <bdi>{issuer}</bdi>
      </span>
    </div>
  );
}

function Backdrop({ src }: { src: string }) {
  return <img src={src} alt="" fetchPriority="low" className="size-full object-cover" />;
}

/**
 * Placed next to the name, never over it, so that readers can still see whose card it is. A long word is set smaller.
 */
function Stamp({ word, severe, certificate }: { word: string; severe: boolean; certificate: boolean }) {
  const place = certificate ? "right-[5.5cqw] bottom-[6cqw] text-[3.4cqw]" : "top-[17cqw] right-[6cqw]";
  const look = severe ? "border-[#d43a32] bg-[#fff4f2] text-[#b3261e]" : "border-[#5b636a] bg-[#fdfcf9] text-[#3b444b]";
  return (
    <span
      aria-hidden="true"
      style={certificate ? undefined : { fontSize: `${Math.min(5.2, 48 / word.length)}cqw` }}
      className={`absolute -rotate-8 rounded-[1.2cqw] border-[0.6cqw] px-[3cqw] py-[0.9cqw] leading-none font-bold tracking-[0.1em] uppercase ${place} ${look}`}
    >
      {word}
    </span>
  );
}
