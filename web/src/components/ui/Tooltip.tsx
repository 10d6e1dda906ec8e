import { type CSSProperties, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

interface TooltipProps {
  content: ReactNode;
  children: ReactNode;
  /** Give the keyboard a way to it, unless what is inside can have the focus itself. */
  isFocusable?: boolean;
  className?: string;
}

/** The widest that a tooltip gets, with its distance from the edge. */
const WIDEST = 376;

/**
 * More to read while the pointer or the focus is on it. The pointer may go on to what is said, and
 * Escape closes it from wherever the focus is (WCAG 1.4.13).
 */
export function Tooltip({ content, children, isFocusable = true, className = "" }: TooltipProps) {
  const { id, anchor, place, show, hide } = useTip();
  const hover = (act: () => void) => (event: PointerEvent) => event.pointerType !== "touch" && act();
  return (
    <span
      ref={anchor}
      className={`tooltip-anchor ${className}`}
      tabIndex={isFocusable ? 0 : undefined}
      aria-describedby={place ? id : undefined}
      onPointerEnter={hover(show)}
      onPointerLeave={hover(hide)}
      onFocus={show}
      onBlur={hide}
    >
      {children}
      {place && (
        <span role="tooltip" id={id} className="tooltip" style={place}>
          {content}
        </span>
      )}
    </span>
  );
}

/** The same behind a small button, so that fingers reach it too. */
export function Info({ label, content }: { label: string; content: ReactNode }) {
  const { id, anchor, place, show, hide } = useTip();
  const hover = (act: () => void) => (event: PointerEvent) => event.pointerType !== "touch" && act();
  return (
    <span ref={anchor} className="info" onPointerEnter={hover(show)} onPointerLeave={hover(hide)}>
      <button
        type="button"
        aria-label={label}
        aria-expanded={place !== null}
        aria-describedby={place ? id : undefined}
        onFocus={show}
        onBlur={hide}
        onClick={show}
      >
        <span aria-hidden="true">i</span>
      </button>
      {place && (
        <span role="tooltip" id={id} className="tooltip" style={place}>
          {content}
        </span>
      )}
    </span>
  );
}

/** Where the words stand while they are shown; null while they are not. */
function useTip() {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<CSSProperties | null>(null);
  const show = () => {
    const box = anchor.current?.getBoundingClientRect();
    if (!box) return;
    const isLow = box.bottom > window.innerHeight * 0.65;
    const isRight = getComputedStyle(anchor.current!).direction === "rtl";
    const start = isRight ? box.right - WIDEST + 16 : box.left;
    const left = Math.min(Math.max(8, start), Math.max(8, window.innerWidth - WIDEST));
    setPlace({ left, ...(isLow ? { bottom: window.innerHeight - box.top } : { top: box.bottom }) });
  };
  const hide = () => setPlace(null);
  const isShown = place !== null;
  useEffect(() => {
    if (!isShown) return;
    const close = (event: KeyboardEvent) => event.key === "Escape" && setPlace(null);
    const moved = () => setPlace(null);
    document.addEventListener("keydown", close);
    window.addEventListener("scroll", moved, { passive: true });
    return () => {
      document.removeEventListener("keydown", close);
      window.removeEventListener("scroll", moved);
    };
  }, [isShown]);
  return { id, anchor, place, show, hide };
}
