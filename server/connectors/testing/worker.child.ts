import { runConnectorStep } from "../run/step";

// Works off runs of connectors until the parent kills it.
console.log("working");
while (await runConnectorStep(new Date()));
