import type { Benchmark } from "./benchmark";
import { httpClient } from "./http-client";
import { inTurns, pace } from "./measure";
import { startBare, startNext, type Server } from "./processes";

const lanes = 32;

/**
 * GET /public/credentials/{code}, compared with a bare server that makes the same query, and with the same route
 * through Next.
 */
export const verification: Benchmark = async function* ({ server, servedUrl, codes }, { seconds }) {
  const paceOf = async ({ origin, cpuTime }: Server) => {
    const http = await httpClient(origin, lanes);
    const measured = await pace(lanes, seconds, cpuTime, (lane, n) =>
      http.send(lane, "GET", `/public/credentials/${codes[(lane * 31 + n) % codes.length]}`),
    );
    http.close();
    return measured;
  };
  const ours = () => paceOf(server);

  const bare = await startBare(servedUrl);
  const [direct, floor] = await inTurns(5, ours, () => paceOf(bare));
  await bare.stop();
  const look = "node:http with the same look-up and nothing else";
  yield {
    name: "public verification",
    value: direct.rate,
    unit: "requests/s",
    reference: { name: look, value: floor.rate },
    target: { min: 0.5 },
  };
  yield {
    name: "public verification: processor time of the server",
    value: direct.cpu,
    unit: "ms a request",
    reference: { name: look, value: floor.cpu },
  };

  const next = await startNext(servedUrl);
  const [again, through] = await inTurns(3, ours, () => paceOf(next));
  await next.stop();
  yield {
    name: "public verification",
    value: again.rate,
    unit: "requests/s",
    reference: { name: "the same handler through Next", value: through.rate },
    target: { min: 5 },
  };
  yield {
    name: "public verification: processor time of the server",
    value: again.cpu,
    unit: "ms a request",
    reference: { name: "the same handler through Next", value: through.cpu },
  };
};
