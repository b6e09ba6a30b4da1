import { TestApp } from "./app";

/**
 * A server process of the crash test: an engine for the app named in argv[2]. As the `victim` (argv[3]) it hangs in the
 * second step of every tenth run, and says so.
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
