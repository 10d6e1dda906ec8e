/** Drawings as files: what style sheets say is written into the elements. */
import { save } from "./table-file";

const KEPT = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];

export function saveSvg(name: string, drawing: SVGSVGElement): void {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const box = drawing.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(box.width)));
  copy.setAttribute("height", String(Math.round(box.height)));
  const [live, made] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  live!.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const property of KEPT) made![index]!.setAttribute(property, style.getPropertyValue(property));
    made![index]!.removeAttribute("class");
  });
  save(name, new XMLSerializer().serializeToString(copy), "image/svg+xml");
}
