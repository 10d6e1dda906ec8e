import { type ReactNode, useRef } from "react";
import { t } from "../../lib/messages";
import { savePng, saveSvg } from "../../lib/svg-file";
import { Button } from "./Button";

/** A drawing with its title, which can be saved as SVG or PNG. */
export function Chart({
  title,
  note,
  file,
  children,
}: {
  title: string;
  note?: ReactNode;
  file: string;
  children: ReactNode;
}) {
  const figure = useRef<HTMLElement>(null);
  const write = (kind: "SVG" | "PNG") => {
    const drawing = figure.current?.querySelector<SVGSVGElement>("svg.drawing");
    if (!drawing) return;
    if (kind === "SVG") saveSvg(`${file}.svg`, drawing);
    else void savePng(`${file}.png`, drawing);
  };
  return (
    <figure className="chart" ref={figure}>
      <figcaption className="section-head">
        <h2>{title}</h2>
        {note && <span className="muted small">{note}</span>}
        <span className="push saves">
          {(["SVG", "PNG"] as const).map((kind) => (
            <Button
              key={kind}
              kind="quiet"
              icon="download"
              aria-label={t("shared.saveAs", { title, kind })}
              onClick={() => write(kind)}
            >
              {kind}
            </Button>
          ))}
        </span>
      </figcaption>
      {children}
    </figure>
  );
}
