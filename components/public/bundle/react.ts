// The part of React that components of the public pages use, for the server: each hook returns its initial value, and
// no effect runs. scripts/build/build-public.mjs replaces `react` with this file. In the browser, Preact is used
// instead.
import { Fragment, Html, jsx, toHtml } from "./jsx-runtime";

export { Fragment };

type Props = Record<string, unknown>;

export function createElement(type: Parameters<typeof jsx>[0], props: Props | null, ...children: unknown[]): unknown {
  return jsx(type, children.length === 0 ? (props ?? {}) : { ...props, children });
}

export const forwardRef =
  (render: (props: Props, ref: null) => unknown) =>
  (props: Props): unknown =>
    render(props, null);

/** More than an icon has combinations of properties in the sources of the pages. */
const keptOutputs = 100;

/** Writes a component once for each combination of its properties, which must be primitive values. */
export function memo(component: (props: Props) => unknown): (props: Props) => unknown {
  const outputs = new Map<string, Html>();
  return (props) => {
    const key = JSON.stringify(props);
    const known = outputs.get(key);
    if (known) return known;
    const output = new Html(toHtml(component(props)));
    if (outputs.size < keptOutputs) outputs.set(key, output);
    return output;
  };
}

export const createContext = <Value>(value: Value) => ({ value, Provider: Fragment });
export const useContext = <Value>({ value }: { value: Value }): Value => value;

const nothing = () => undefined;
export const useState = <Value>(initial: Value | (() => Value)): [Value, () => void] => [
  typeof initial === "function" ? (initial as () => Value)() : initial,
  nothing,
];
export const useRef = <Value>(current: Value) => ({ current });
export const useCallback = <Callback>(callback: Callback): Callback => callback;
export const useMemo = <Value>(make: () => Value): Value => make();
/** Elements with such an id are rendered only by scripts, which set the id. */
export const useId = (): string => "";
export const useEffect = nothing;
export const useLayoutEffect = nothing;
export const useSyncExternalStore = <Value>(_: unknown, read: () => Value, onServer?: () => Value): Value =>
  (onServer ?? read)();

export default { createElement, forwardRef, memo, createContext, useContext, useState, useRef, useEffect, Fragment };
