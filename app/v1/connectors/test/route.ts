import { sourceTestSchema, testConnectorSource } from "@/server/connectors/test-source";
import { route } from "@/server/http/rest/route";

export const POST = route({
  operation: testConnectorSource,
  summary: "Test a source",
  description:
    "Asks the address of a connector of type http for its first people and shows them. 200 for every outcome: error says in words why it did not work. Nothing is stored.",
  response: sourceTestSchema,
  example: {
    request: {
      settings: { url: "https://sis.example.edu/api/people", auth: { type: "bearer" }, records: "data" },
      secret: "sis_4f9Kc1vXqT0bN7mZ",
    },
  },
});
