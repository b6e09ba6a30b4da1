import { seedDemo } from "@/server/demo/seed";
import { define } from "./command";

export const demo = define({
  about: "Adds an organisation with believable data to look at, once.",
  options: {},
  run: () => seedDemo(),
  say: ({ url, email, password }) =>
    `Look around as the owner of Northwind University:\n  ${url}\n  ${email}\n  ${password}`,
});
