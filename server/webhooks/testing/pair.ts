import { expect } from "vitest";
import { call } from "@/server/testing/request";
import type { AttemptView } from "@/server/webhooks/deliveries/attempt-view";
import type { DeliveryView } from "@/server/webhooks/deliveries/delivery-view";
import { getWebhookDelivery } from "@/server/webhooks/deliveries/get-delivery";
import { steps } from "@/server/webhooks/deliveries/schedule";
import type { Listener } from "./listener";
import type { Stage } from "./stage";

/** A faulty and a healthy endpoint that receive the same events. */
export class Pair {
  private constructor(
    private readonly stage: Stage,
    private readonly sick: string,
    private readonly well: string,
    private readonly token: string,
  ) {}

  /** Registers both; the healthy one is at /well of the stage's listener. */
  static async register(stage: Stage, sickUrl: string): Promise<Pair> {
    const { id: sick } = await stage.endpoint("/sick", { url: sickUrl });
    const { id: well } = await stage.endpoint("/well");
    return new Pair(stage, sick, well, await stage.world.key("webhooks:read"));
  }

  /**
   * Starts to send what is due, and waits until the healthy endpoint's delivery has succeeded, whatever the faulty one
   * does.
   */
  async begin(): Promise<void> {
    this.stage.dispatcher.wake();
    while ((await this.#delivery(this.well)).status !== "succeeded");
  }

  /** Returns the faulty endpoint's newest delivery and its attempts, as the API shows them. */
  async told(): Promise<{ delivery: DeliveryView; attempts: AttemptView[] }> {
    const delivery = await this.#delivery(this.sick);
    return { delivery, attempts: await this.#get(`/v1/webhook_deliveries/${delivery.id}/attempts`) };
  }

  /**
   * Expects one failed attempt that matches `attempt`, the next attempt after the first step of the schedule, and a
   * succeeded delivery to the healthy endpoint.
   */
  async expectFailure(attempt: Partial<AttemptView>): Promise<void> {
    const { delivery, attempts } = await this.told();
    expect(attempts).toEqual([
      expect.objectContaining({
        number: 1,
        trigger: "event",
        errorDetail: expect.stringMatching(/^The .*\.$/),
        ...attempt,
      }),
    ]);
    expect(Buffer.byteLength(attempts[0]!.responseBody!)).toBeLessThanOrEqual(16 * 1024);
    expect(delivery).toMatchObject({
      status: "pending",
      attemptCount: 1,
      lastErrorClass: attempt.errorClass,
      lastStatusCode: attempts[0]!.statusCode,
      completedAt: null,
    });
    const wait = (Date.parse(delivery.nextAttemptAt!) - this.stage.now.getTime()) / steps[0];
    expect([wait >= 0.8, wait <= 1.2, wait]).toEqual([true, true, wait]);
    expect(await this.#delivery(this.well)).toMatchObject({
      status: "succeeded",
      attemptCount: 1,
      eventId: delivery.eventId,
    });
  }

  /**
   * Makes the second attempt and expects it at /sick of the `healed` listener, with the same bytes as the first
   * attempt, the log and the healthy endpoint's delivery.
   */
  async expectRecovery(healed: Listener): Promise<void> {
    this.stage.advance(1.2 * steps[0]);
    await this.stage.send();
    const { delivery, attempts } = await this.told();
    expect([delivery.status, delivery.attemptCount, attempts.map((a) => [a.number, a.errorClass]).at(0)]).toEqual([
      "succeeded",
      2,
      [2, null],
    ]);
    const requests = healed.to("/sick");
    expect(requests.at(-1)!.headers["svc-attempt"]).toBe("2");
    const [served] = this.stage.listener.to("/well");
    for (const { bytes } of requests) expect(bytes.equals(served!.bytes)).toBe(true);
    const { body } = await getWebhookDelivery(this.stage.ctx, { id: delivery.id });
    expect(served!.bytes.equals(Buffer.from(body!))).toBe(true);
  }

  async #delivery(endpointId: string): Promise<DeliveryView> {
    return (await this.#get<DeliveryView>(`/v1/webhook_endpoints/${endpointId}/deliveries`))[0]!;
  }

  async #get<T>(path: string): Promise<T[]> {
    const answer = await call("GET", path, { token: this.token });
    expect(answer.status).toBe(200);
    return answer.json<{ data: T[] }>().data;
  }
}
