import { TestApp } from "./app";

/**
 * A server process for the crash test: an engine for the app named in argv[2]. If argv[3] is `victim`, every tenth run
 * prints `hanging` and hangs in its second step.
 */
const [, , appId, role] = process.argv;
const app = new TestApp(appId);

const work = app.client.createFunction(
  { id: "work", retries: 0, triggers: [{ event: "test/work" }] },
  async ({ event, step }) => {
    const first = await step.run("first", () => role);
    const second = await step.run("second", async () => {
      if (role === "victim" && event.data.n % 10 === 0) {
        console.log("hanging");
        await new Promise(() => undefined);
      }
      return role;
    });
    return { first, second };
  },
);

await app.start([work], { leaseMs: 1000, width: 20 });
console.log("started");
