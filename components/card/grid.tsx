import type { CSSProperties } from "react";
import type { DesignField } from "@/server/templates/design";
import type { SideField } from "./card-field";
import { Labelled } from "./labelled";
import { Portrait } from "./portrait";

type Position = NonNullable<DesignField["position"]>;

interface Props {
  fields: SideField[];
  holder: string;
  photo: { src: string; position: Position } | undefined;
}

/** Fields with a fixed place in the design: 12 columns, 24 rows. */
export function Grid({ fields, holder, photo }: Props) {
  return (
    <div className="absolute inset-[6cqw] grid grid-cols-12 grid-rows-[repeat(24,minmax(0,1fr))]">
      {photo && (
        <div style={placement(photo.position, { columns: 3, rows: 11 })} className="min-h-0 min-w-0">
          <Portrait src={photo.src} name={holder} alt="" className="h-full max-w-full rounded-[1.8cqw]" />
        </div>
      )}
      {fields.map((field) => (
        <div key={field.key} style={placement(field.position!, { columns: 4, rows: 4 })} className="min-w-0">
          <Labelled field={field} />
        </div>
      ))}
    </div>
  );
}

function placement({ column, row, columns, rows }: Position, usual: { columns: number; rows: number }): CSSProperties {
  return { gridColumn: `${column} / span ${columns ?? usual.columns}`, gridRow: `${row} / span ${rows ?? usual.rows}` };
}
