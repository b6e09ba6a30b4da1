import { bitstringStatusList } from "./bitstring-status-list";
import { oneEdTechRevocationList } from "./one-edtech-revocation-list";
import { statusList2021 } from "./status-list-2021";
import type { StatusType } from "./status-type";

/** The kinds of status that are read. To add one, write its file and list it here. */
const statusTypes: readonly StatusType[] = [bitstringStatusList, statusList2021, oneEdTechRevocationList];

export const statusTypeOf = (type: unknown): StatusType | undefined => statusTypes.find((each) => each.type === type);
export const statusTypeNames = statusTypes.map(({ type }) => type);
