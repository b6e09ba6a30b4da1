import { runPolicyStep } from "../run/step";

// Works off runs of policies until the parent kills it.
console.log("working");
while (await runPolicyStep(new Date()));
