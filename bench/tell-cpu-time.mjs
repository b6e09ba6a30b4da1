// Loaded into each process that a benchmark starts. Reports the processor time that the process has used, in
// milliseconds, when asked.
process.on("message", (message) => {
  if (message !== "cpu time") return;
  const { user, system } = process.cpuUsage();
  process.send((user + system) / 1000);
});
