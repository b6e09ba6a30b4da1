import { routes } from "@/server/http/generated/routes";
import { dispatcherOf } from "./dispatcher";

/** Methods and paths whose request body is a file, as their route files declare. */
const filePaths = routes.flatMap(({ path, handlers }) =>
  Object.entries(handlers as Record<string, { spec?: { file?: object } }>)
    .filter(([, handler]) => handler.spec?.file)
    .map(([method]) => ({ method, path: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/?]+")}(?:\\?|$)`) })),
);

/** Whether the request's body is a file, which may take longer to arrive. */
export function takesFile(method: string, url: string): boolean {
  return filePaths.some((each) => each.method === method && each.path.test(url));
}

/** Dispatches requests to all route files of the API. */
export const createDispatcher = () =>
  dispatcherOf(routes.map(({ path, handlers }) => ({ path, load: () => handlers })));
