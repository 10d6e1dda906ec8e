/** Drawings as files: what style sheets say is written into the elements. */
import { save, saveBlob } from "./table-file";

const KEPT = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
  "direction",
];

/** Dots of a PNG for each of the screen's. */
const DENSITY = 2;

interface Drawn {
  text: string;
  width: number;
  height: number;
}

export function saveSvg(name: string, drawing: SVGSVGElement): void {
  save(name, drawn(drawing).text, "image/svg+xml");
}

/** The same drawing in dots, on the page's ground; nothing but our own drawing is read. */
export async function savePng(name: string, drawing: SVGSVGElement): Promise<void> {
  const { text, width, height } = drawn(drawing);
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width * DENSITY;
    canvas.height = height * DENSITY;
    const pen = canvas.getContext("2d")!;
    pen.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (made) saveBlob(name, made);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(drawing: SVGSVGElement): Drawn {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const box = drawing.getBoundingClientRect();
  const [width, height] = [Math.round(box.width), Math.round(box.height)];
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  const [live, made] = [drawing, copy].map((root) => [root, ...root.querySelectorAll("*")]);
  live!.forEach((element, index) => {
    const style = getComputedStyle(element);
    for (const property of KEPT) made![index]!.setAttribute(property, style.getPropertyValue(property));
    made![index]!.removeAttribute("class");
  });
  return { text: new XMLSerializer().serializeToString(copy), width, height };
}
