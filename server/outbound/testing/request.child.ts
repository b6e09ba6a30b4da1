import { closeOutbound, outboundRequest } from "@/server/outbound/request";

// Requests each URL of the arguments with our client, then with the global fetch, and prints the results.
const urls = process.argv.slice(2);
for (const url of urls) {
  const { status, address, errorClass } = await outboundRequest({ url, method: "GET", maxResponseBytes: 100 });
  console.log(JSON.stringify({ status, address, errorClass }));
}
await closeOutbound();
const outcomes = await Promise.allSettled(urls.map((url) => fetch(url)));
console.log(outcomes.map(({ status }) => (status === "rejected" ? "failed" : "answered")).join(" "));
