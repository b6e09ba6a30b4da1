import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

// The part of React that components of the public pages use, for the browser: Preact without its full compatibility
// layer, which is as large as Preact. The build replaces `react` with this file.
export { createContext, createElement, Fragment } from "preact";
export { useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from "preact/hooks";

type Component = (props: Record<string, unknown>) => unknown;

export const memo = <Any>(component: Any): Any => component;

/** No component here forwards a ref. */
export const forwardRef =
  (render: (props: Record<string, unknown>, ref: null) => unknown): Component =>
  (props) =>
    render(props, null);

/** For a value that emits no changes: first the server's value, then the browser's. */
export function useSyncExternalStore<Value>(_: unknown, read: () => Value, onServer: () => Value): Value {
  const [isRunning, setRunning] = useState(false);
  useEffect(() => setRunning(true), []);
  return isRunning ? read() : onServer();
}

/** Attributes of SVG under React's names. */
const inWords = /^(?:stroke(?:Width|Linecap|Linejoin)|(?:fill|clip)Rule|shapeRendering)$/;

const before = options.vnode;
options.vnode = (vnode) => {
  const props = vnode.props as Record<string, unknown>;
  if (typeof vnode.type === "string")
    for (const name in props) {
      if (!inWords.test(name)) continue;
      props[name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)] = props[name];
      delete props[name];
    }
  before?.(vnode);
};
