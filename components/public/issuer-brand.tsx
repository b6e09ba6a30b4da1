import type { Brand } from "@/server/templates/brand";

interface Props {
  brand: Brand;
  organisation: string;
  /** The organisation's action, after its name. */
  does: string;
  title: string;
}

/** The head of a page on which an organisation speaks to a holder, in the colours of the card that it is about. */
export function IssuerBrand({ brand: { colors, logo }, organisation, does, title }: Props) {
  return (
    <header
      className="rounded-2xl border-b-4 px-5 py-5 shadow-surface sm:px-6"
      style={{ backgroundColor: colors.background, color: colors.foreground, borderColor: colors.accent }}
    >
      {logo && <img src={logo} alt="" className="mb-4 h-10 w-auto max-w-full object-contain object-left" />}
      <p className="text-sm text-pretty">
        <bdi>{organisation}</bdi> {does}
      </p>
      <p className="mt-1 text-2xl font-semibold tracking-[-0.015em] text-balance wrap-anywhere">{title}</p>
    </header>
  );
}
