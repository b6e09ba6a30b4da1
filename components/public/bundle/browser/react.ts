import { options } from "preact";
import { useEffect, useState } from "preact/hooks";

// What components of the public pages use of React, for the browser: Preact without its whole layer of compatibility,
// which is as large as Preact. The build puts this in the place of react.
export { createContext, createElement, Fragment } from "preact";
export { useCallback, useContext, useEffect, useId, useMemo, useRef, useState } from "preact/hooks";

type Component = (props: Record<string, unknown>) => unknown;

export const memo = <Any>(component: Any): Any => component;

/** Components here hand no reference through. */
export const forwardRef =
  (render: (props: Record<string, unknown>, ref: null) => unknown): Component =>
  (props) =>
    render(props, null);

/** Of a value that nothing announces: what the server wrote at first, and then what the browser knows. */
export function useSyncExternalStore<Value>(_: unknown, read: () => Value, onServer: () => Value): Value {
  const [isRunning, setRunning] = useState(false);
  useEffect(() => setRunning(true), []);
  return isRunning ? read() : onServer();
}

/** Attributes of SVG as React names them. */
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
