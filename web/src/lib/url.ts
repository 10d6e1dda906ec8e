/** The page and its state live in the address, behind the `#`, so that any view can be shared. */
import { useCallback, useSyncExternalStore } from "react";

export interface Address {
  /** Always begins with a slash; its parts are percent-encoded. */
  path: string;
  query: Readonly<Record<string, string>>;
}

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export function parseHash(hash: string): Address {
  const [path = "", search = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { path: path.startsWith("/") ? path : `/${path}`, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** An address as the value of a link; empty parts of the query are left out. */
export function href(path: string, query: Query = {}): string {
  const kept = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(kept.map(([name, value]) => [name, String(value)])).toString();
  return `#${path}${search ? `?${search}` : ""}`;
}

/** A path from a pattern such as `/runs/:run`. */
export function pathTo(pattern: string, params: Readonly<Record<string, string>> = {}): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** The parameters of a path that fits the pattern, else null. */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const [wanted, given] = [pattern, path].map((text) => text.replace(/\/+$/, "").split("/"));
  if (wanted!.length !== given!.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted!.entries()) {
    if (part.startsWith(":")) params[part.slice(1)] = decoded(given![index]!);
    else if (part !== given![index]) return null;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function subscribe(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

export function useAddress(): Address {
  return parseHash(useSyncExternalStore(subscribe, () => window.location.hash));
}

/** Go to an address; a replaced one leaves no step back. */
export function go(target: string, isReplaced = false): void {
  if (isReplaced) {
    window.history.replaceState(null, "", target);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else window.location.hash = target;
}

/** The query and a way to change parts of it; null or an empty text removes a part. */
export function useQuery(): [Readonly<Record<string, string>>, (changes: Query, isReplaced?: boolean) => void] {
  const { query } = useAddress();
  const change = useCallback((changes: Query, isReplaced = true) => {
    const now = parseHash(window.location.hash);
    go(href(now.path, { ...now.query, ...changes }), isReplaced);
  }, []);
  return [query, change];
}
