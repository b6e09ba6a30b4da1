import { runConnectorStep } from "../run/step";

// Processes connector runs until its parent kills it.
console.log("working");
while (await runConnectorStep(new Date()));
