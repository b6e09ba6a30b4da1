import type { ConnectorRow } from "../view";

/**
 * The connector's settings at the time when the run was queued. Later changes do not affect the run. An undo has the
 * settings of the run that it undoes.
 */
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
