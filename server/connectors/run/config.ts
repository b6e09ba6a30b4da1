import type { ConnectorRow } from "../view";

/** What a run is done by: as the connector was when the run was queued. */
export type RunConfig = Pick<
  ConnectorRow,
  "type" | "settings" | "mapping" | "mode" | "missing" | "adopt" | "limits" | "priority"
>;

export const configOf = ({
  type,
  settings,
  mapping,
  mode,
  missing,
  adopt,
  limits,
  priority,
}: ConnectorRow): RunConfig => ({
  type,
  settings,
  mapping,
  mode,
  missing,
  adopt,
  limits,
  priority,
});
