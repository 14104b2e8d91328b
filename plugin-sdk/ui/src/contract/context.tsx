import { createContext, useContext, type ReactNode } from 'react';
import type { Session, Site } from './contract.ts';
import type { Bootstrap, PlaceProps, SlotName } from './slots.ts';

export interface NavigateOptions {
  replace?: boolean;
}

/**
 * Parameters of a call; those that are undefined are left out, and those with several values are repeated. `identifyHeader` is sent as the header
 * `captcha`, too.
 */
export type Query = Record<string, string | number | (string | number)[] | undefined>;

/**
 * Calls of the host's API below the site's prefix. They resolve to `data` of the envelope and reject with `ApiError`. A body is sent as JSON, or as
 * a form if it is `FormData`.
 */
export interface Api {
  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  put<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T>;
  delete<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T>;
}

/** The kind of a short message: `done` after a success, `failed` after a failure. */
export type MessageKind = 'plain' | 'done' | 'failed';

/** The context that the shell provides to modules; the hooks below read it. */
export interface Shell {
  bootstrap: Bootstrap;
  /** Path and query of the page that is shown. */
  path: string;
  /** Whether another page is being loaded. */
  pending: boolean;
  api: Api;
  navigate(to: string, options?: NavigateOptions): void;
  /** Shows a short message for some seconds, and has it read out. */
  notify(message: string, kind?: MessageKind): void;
  /** Shows the progress bar while `work` takes longer than a moment; resolves and rejects as it does. */
  busy<T>(work: Promise<T>): Promise<T>;
  renderSlot(name: SlotName, props: object, fallback: ReactNode, waiting?: ReactNode): ReactNode;
}

export const ShellContext = createContext<Shell | null>(null);

export const ShellProvider = ShellContext.Provider;

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error('This component needs the shell; in a test use renderModule() of @masthead/ui-sdk/testing.');
  return shell;
}

export const useBootstrap = (): Bootstrap => useShell().bootstrap;
export const useSite = (): Site => useShell().bootstrap.site;
export const useSession = (): Session => useShell().bootstrap.session;
export const useApi = (): Api => useShell().api;
export const useNotify = (): Shell['notify'] => useShell().notify;
export const useBusy = (): Shell['busy'] => useShell().busy;
export const useNavigate = (): Shell['navigate'] => useShell().navigate;

/** A slot inside a module, such as `footer.rows` in a footer. Renders `children` if there is no module, `waiting` while one is loading. */
export function Slot<S extends SlotName>({
  name,
  props,
  children = null,
  waiting = children,
}: {
  name: S;
  /** The properties that this place gives to the modules; most slots need none. */
  props?: PlaceProps<S>;
  children?: ReactNode;
  waiting?: ReactNode;
}) {
  return useShell().renderSlot(name, props ?? {}, children, waiting);
}
