import { closeOutbound, outboundRequest } from "@/server/outbound/request";

// Asks for each URL given, all of them as we do and then all as the platform does, and tells what came of each.
const urls = process.argv.slice(2);
for (const url of urls) {
  const { status, address, errorClass } = await outboundRequest({ url, method: "GET", maxResponseBytes: 100 });
  console.log(JSON.stringify({ status, address, errorClass }));
}
await closeOutbound();
const outcomes = await Promise.allSettled(urls.map((url) => fetch(url)));
console.log(outcomes.map(({ status }) => (status === "rejected" ? "failed" : "answered")).join(" "));
