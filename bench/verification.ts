import type { Benchmark } from "./benchmark";
import { httpClient } from "./http-client";
import { inTurns, rate } from "./measure";
import { startBare, startNext } from "./processes";

const lanes = 32;

/** GET /public/credentials/{code}: against a bare server with the same look-up, and against the same route through Next. */
export const verification: Benchmark = async function* ({ server, servedUrl, codes }, { seconds }) {
  const rateOf = async (origin: string) => {
    const http = await httpClient(origin, lanes);
    const verified = await rate(lanes, seconds, (lane, n) => http.send(lane, "GET", `/public/credentials/${codes[(lane * 31 + n) % codes.length]}`));
    http.close();
    return verified;
  };
  const ours = () => rateOf(server.origin);

  const bare = await startBare(servedUrl);
  const [direct, floor] = await inTurns(5, ours, () => rateOf(bare.origin));
  await bare.stop();
  yield { name: "public verification", value: direct, unit: "requests/s", reference: { name: "node:http with the same look-up and nothing else", value: floor }, target: { min: 0.5 } };

  const next = await startNext(servedUrl);
  const [again, through] = await inTurns(3, ours, () => rateOf(next.origin));
  await next.stop();
  yield { name: "public verification", value: again, unit: "requests/s", reference: { name: "the same handler through Next", value: through }, target: { min: 5 } };
};
