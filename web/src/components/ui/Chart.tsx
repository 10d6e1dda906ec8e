import { type ReactNode, useRef } from "react";
import { saveSvg } from "../../lib/svg-file";
import { Button } from "./Button";

/** A drawing with its title, which can be saved as SVG. */
export function Chart({ title, note, file, children }: { title: string; note?: ReactNode; file: string; children: ReactNode }) {
  const figure = useRef<HTMLElement>(null);
  return (
    <figure className="chart" ref={figure}>
      <figcaption className="section-head">
        <h2>{title}</h2>
        {note && <span className="muted small">{note}</span>}
        <Button
          kind="quiet"
          icon="download"
          className="push"
          aria-label={`Save ${title} as SVG`}
          onClick={() => {
            const drawing = figure.current?.querySelector("svg.drawing");
            if (drawing) saveSvg(`${file}.svg`, drawing as SVGSVGElement);
          }}
        >
          SVG
        </Button>
      </figcaption>
      {children}
    </figure>
  );
}
