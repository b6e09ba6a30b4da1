import type { Id } from "@/server/core/ids";
import type { Wanted } from "./claim";
import { type EndpointRef } from "@/server/webhooks/endpoints/endpoint-ref";
import { Lane, Share } from "./lane";

/** Rows per claim, so that no claim takes long. */
const claimSize = 256;

/** The lanes of this process, one for each endpoint with something to send. */
export class Lanes {
  readonly #lanes = new Map<Id<"whe">, Lane>();
  /** Shares of the organisations that have lanes. */
  readonly #shares = new Map<Id<"org">, Share>();

  of({ orgId, endpointId }: EndpointRef): Lane {
    let lane = this.#lanes.get(endpointId);
    if (!lane) {
      const share = this.#shareOf(orgId);
      share.lanes++;
      this.#lanes.set(endpointId, (lane = new Lane({ orgId, endpointId }, share)));
    }
    return lane;
  }

  /**
   * Returns what endpoints with free slots may claim, up to claimSize; if there are more endpoints, they take turns.
   */
  want(crowded: boolean): Wanted[] {
    const wanted: Wanted[] = [];
    const ofOrganisation = new Map<Id<"org">, number>();
    let left = claimSize;
    for (const [endpointId, lane] of this.#lanes) {
      const beside = ofOrganisation.get(lane.orgId) ?? 0;
      const slots = Math.min(lane.slots(crowded, beside), left);
      ofOrganisation.set(lane.orgId, beside + slots);
      if (slots > 0) wanted.push(lane.want(slots));
      else if (lane.forgettable) this.#forget(endpointId, lane);
      if ((left -= slots) <= 0) break;
    }
    for (const { endpointId } of wanted) this.#toTheEnd(endpointId);
    return wanted;
  }

  /** Returns the endpoints that are known to have something due. */
  ready(): Id<"whe">[] {
    return [...this.#lanes].filter(([, lane]) => lane.ready).map(([endpointId]) => endpointId);
  }

  #shareOf(orgId: Id<"org">): Share {
    let share = this.#shares.get(orgId);
    if (!share) this.#shares.set(orgId, (share = new Share()));
    return share;
  }

  #forget(endpointId: Id<"whe">, { orgId }: Lane): void {
    this.#lanes.delete(endpointId);
    if (--this.#shareOf(orgId).lanes === 0) this.#shares.delete(orgId);
  }

  #toTheEnd(endpointId: Id<"whe">): void {
    const lane = this.#lanes.get(endpointId)!;
    this.#lanes.delete(endpointId);
    this.#lanes.set(endpointId, lane);
  }
}
