import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The width of an element in CSS pixels, so that drawings keep the size of their letters. */
export function useWidth<Kind extends HTMLElement>(atFirst: number): [RefObject<Kind | null>, number] {
  const element = useRef<Kind>(null);
  const [width, setWidth] = useState(atFirst);
  useLayoutEffect(() => {
    const found = element.current;
    if (!found) return;
    setWidth(found.clientWidth || atFirst);
    const observer = new ResizeObserver(() => setWidth(found.clientWidth || atFirst));
    observer.observe(found);
    return () => observer.disconnect();
  }, [atFirst]);
  return [element, width];
}
