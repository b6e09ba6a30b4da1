// A server as `npm start` runs it, in its own process, which ends with the one that started it.
const { serve } = await import("../.build/serve.mjs");
const server = await serve();
const stop = async () => {
  await server.stop();
  process.exit();
};
if (process.connected) process.once("disconnect", stop);
else await stop();
