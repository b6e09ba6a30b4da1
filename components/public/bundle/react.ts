// What components of the public pages use of React, for the server: each hook gives its first value, and no effect
// runs. scripts/build/build-public.mjs puts this in the place of react; the browser has Preact there.
import { Fragment, jsx } from "./jsx-runtime";

export { Fragment };

type Props = Record<string, unknown>;

export function createElement(type: Parameters<typeof jsx>[0], props: Props | null, ...children: unknown[]): unknown {
  return jsx(type, children.length === 0 ? (props ?? {}) : { ...props, children });
}

export const forwardRef =
  (render: (props: Props, ref: null) => unknown) =>
  (props: Props): unknown =>
    render(props, null);
export const memo = <Component>(component: Component): Component => component;
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
/** Whatever has such an id is rendered by scripts alone; they give it theirs. */
export const useId = (): string => "";
export const useEffect = nothing;
export const useLayoutEffect = nothing;
export const useSyncExternalStore = <Value>(_: unknown, read: () => Value, onServer?: () => Value): Value =>
  (onServer ?? read)();

export default { createElement, forwardRef, memo, createContext, useContext, useState, useRef, useEffect, Fragment };
