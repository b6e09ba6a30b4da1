import type { Design } from "@/server/templates/design";
import type { Validity } from "@/server/templates/validity";

/** The part of a version that the editor changes. */
export interface Draft {
  design: Design;
  validity: Validity;
  /** The achievement that credentials of an academic template state. */
  achievementId: string | null;
}
