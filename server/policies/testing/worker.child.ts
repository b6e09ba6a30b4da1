import { runPolicyStep } from "../run/step";

// Processes runs of policies until the parent kills it.
console.log("working");
while (await runPolicyStep(new Date()));
