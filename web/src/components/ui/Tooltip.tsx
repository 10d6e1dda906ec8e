import { type CSSProperties, type ReactNode, useId, useRef, useState } from "react";

interface TooltipProps {
  content: ReactNode;
  children: ReactNode;
  /** Give the keyboard a way to it, unless what is inside can have the focus itself. */
  isFocusable?: boolean;
  className?: string;
}

/** More to read while the pointer or the focus is on it; Escape closes it. */
export function Tooltip({ content, children, isFocusable = true, className = "" }: TooltipProps) {
  const id = useId();
  const anchor = useRef<HTMLSpanElement>(null);
  const [place, setPlace] = useState<CSSProperties | null>(null);
  const show = () => {
    const box = anchor.current?.getBoundingClientRect();
    if (!box) return;
    const isLow = box.bottom > window.innerHeight * 0.65;
    const left = Math.min(Math.max(8, box.left), Math.max(8, window.innerWidth - 336));
    const vertical = isLow ? { bottom: window.innerHeight - box.top + 6 } : { top: box.bottom + 6 };
    setPlace({ left, ...vertical });
  };
  const hide = () => setPlace(null);
  return (
    <span
      ref={anchor}
      className={`tooltip-anchor ${className}`}
      tabIndex={isFocusable ? 0 : undefined}
      aria-describedby={place ? id : undefined}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === "Escape" && hide()}
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
