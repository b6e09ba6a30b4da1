// Loaded into each process that a benchmark starts: tells it, when asked, how much processor time it has taken, in
// milliseconds.
process.on("message", (message) => {
  if (message !== "cpu time") return;
  const { user, system } = process.cpuUsage();
  process.send((user + system) / 1000);
});
