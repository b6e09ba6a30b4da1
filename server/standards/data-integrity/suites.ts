import { ecdsaRdfc2019 } from "./ecdsa-rdfc-2019";
import { eddsaJcs2022 } from "./eddsa-jcs-2022";
import { eddsaRdfc2022 } from "./eddsa-rdfc-2022";
import type { Suite } from "./suite";

/**
 * The cryptosuites that are verified; those with `sign` are also issued. To add one, write its file and list it here.
 */
const suites: readonly Suite[] = [eddsaRdfc2022, eddsaJcs2022, ecdsaRdfc2019];

export const suiteOf = (name: unknown): Suite | undefined => suites.find((suite) => suite.name === name);
export const suiteNames = suites.map(({ name }) => name);
