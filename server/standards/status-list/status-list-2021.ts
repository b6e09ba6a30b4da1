import { Invalid } from "../failure";
import { textOf } from "../json";
import { isUrl } from "../vcdm/forms";
import { Bitstring } from "./bitstring";
import { fetchList } from "./fetch-list";
import type { StatusType } from "./status-type";

/** `StatusList2021Entry`: the draft before Bitstring Status List, which credentials of VCDM 1.1 use. */
export const statusList2021: StatusType = {
  type: "StatusList2021Entry",
  problems({ statusPurpose, statusListIndex, statusListCredential }) {
    const isIndex =
      (typeof statusListIndex === "number" && Number.isSafeInteger(statusListIndex) && statusListIndex >= 0) ||
      /^\d{1,15}$/.test(textOf(statusListIndex) ?? "");
    return [
      ...(textOf(statusPurpose) === undefined ? ["statusPurpose must be a text."] : []),
      ...(isIndex ? [] : ["statusListIndex must be a whole number."]),
      ...(isUrl(statusListCredential) ? [] : ["statusListCredential must be a URL."]),
    ];
  },
  async read(entry, context) {
    const list = await fetchList(entry["statusListCredential"] as string, "StatusList2021Credential", context);
    const purpose = entry["statusPurpose"] as string;
    if (list["statusPurpose"] !== purpose) throw new Invalid(`The issuer's status list is not about ${purpose}.`);
    const bits = Bitstring.decode(list["encodedList"] as string, { isMultibase: false });
    return { purpose, isSet: bits.get(Number(entry["statusListIndex"])) !== 0 };
  },
};
