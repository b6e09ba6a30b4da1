import type { SideField } from "./card-field";
import { FieldRows } from "./field-rows";
import { IssuerMark } from "../logo";

interface Props {
  title: string;
  issuer: string;
  accent: string;
  logo: string | undefined;
  fields: SideField[];
}

/** The back of a card: its fields in rows, and below them the name of its holder. */
export function Back({ title, issuer, accent, logo, fields }: Props) {
  return (
    <div className="flex h-full flex-col p-[6cqw]">
      <FieldRows fields={fields} side="back" width={88} className="min-h-0 overflow-hidden" />
      <div
        className="mt-auto flex items-center gap-[2.4cqw] border-t pt-[2.2cqw] text-[2.4cqw] leading-tight"
        style={{ borderColor: `${accent}66` }}
      >
        {logo ? (
          <img src={logo} alt="" fetchPriority="low" className="h-[4.4cqw] max-w-[16cqw] object-contain" />
        ) : (
          <IssuerMark className="size-[4cqw] shrink-0" style={{ color: accent }} />
        )}
        <p className="min-w-0 truncate">
          <bdi className="font-semibold">{issuer}</bdi> <bdi className="ms-[1cqw] opacity-75">{title}</bdi>
        </p>
      </div>
    </div>
  );
}
