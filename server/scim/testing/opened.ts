import { beforeAll } from "vitest";
import { world, type World } from "@/server/testing/world";
import { Directory } from "./directory";

/** The organisation of a test file. */
export let w: World;
/** The directory of that organisation. */
export let directory: Directory;

/** Opens a directory for the tests of a file. */
export function openDirectory(): void {
  beforeAll(async () => {
    w = await world();
    directory = await Directory.open(w);
  });
}

/** The parts of a refusal that RFC 7644 section 3.12 requires: status twice, media type and scimType. */
export const errorOf = ({ status, headers, json }: Awaited<ReturnType<Directory["scim"]>>) => {
  const { scimType, ...body } = json();
  return [status, headers.get("content-type"), body["status"], scimType];
};
