/** Small line drawings, 20 by 20. */
const PATHS = {
  overview: "M3 11h5V3H3zM12 17h5V9h-5zM3 17h5v-3H3zM12 6h5V3h-5z",
  runs: "M4 5h12M4 10h12M4 15h8",
  compare: "M7 3v14M13 3v14M3 7l4-4M17 13l-4 4",
  failures: "M10 3l8 14H2zM10 8v4M10 14.5v.5",
  metrics: "M3 17V3M3 17h14M7 13v-3M11 13V6M15 13V9",
  families: "M10 3l7 4-7 4-7-4zM3 11l7 4 7-4",
  json: "M7 3c-3 0-1 6-4 7 3 1 1 7 4 7M13 3c3 0 1 6 4 7-3 1-1 7-4 7",
  try: "M6 4l10 6-10 6z",
  governance: "M10 3l7 3v4c0 4-3 6-7 7-4-1-7-3-7-7V6z",
  settings: "M4 6h8M16 6h0M4 14h2M10 14h6M13.500 4v4M7.500 12v4",
  menu: "M3 5h14M3 10h14M3 15h14",
  close: "M5 5l10 10M15 5L5 15",
  search: "M9 4a5 5 0 100 10A5 5 0 009 4zM13 13l4 4",
  download: "M10 3v9M6 9l4 4 4-4M4 17h12",
  sun: [
    "M10 6.500a3.500 3.500 0 100 7 3.500 3.500 0 000-7z",
    "M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18",
    "M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100",
  ].join(""),
  moon: "M16 12.500A6.500 6.500 0 017.500 4a6.500 6.500 0 108.500 8.500z",
  system: "M3 4h14v9H3zM7 17h6M10 13v4",
  targets: "M10 3a7 7 0 100 14 7 7 0 000-14zM10 7a3 3 0 100 6 3 3 0 000-6z",
  thumbUp: "M3 9h3v8H3zM6 9l4-6c2 0 2 1 1.500 5H17l-1.500 9H6",
  thumbDown: "M3 3h3v8H3zM6 11l4 6c2 0 2-1 1.500-5H17l-1.500-9H6",
  labels: "M3 10V3h7l7 7-7 7zM6.500 6.500h.1",
  matrix: "M3 3h14v14H3zM3 8h14M3 12.500h14M8 3v14M12.500 3v14",
  upload: "M10 13V4M6 7l4-4 4 4M4 17h12",
  live: "M3 10h3l2-6 4 12 2-6h3",
  left: "M12 4l-6 6 6 6",
  right: "M8 4l6 6-6 6",
  down: "M4 7l6 6 6-6",
  delete: "M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11",
  swap: "M4 7h11l-3-3M16 13H5l3 3",
  ltr: "M3 4h9M3 8h6M3 15h13M13 12l3 3-3 3",
  rtl: "M17 4H8M17 8h-6M17 15H4M7 12l-3 3 3 3",
} as const;

export type IconName = keyof typeof PATHS;

/** Drawings that point along the line, and so turn with it. */
const TURNING: ReadonlySet<IconName> = new Set(["left", "right", "try", "runs"]);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={TURNING.has(name) ? "icon turning" : "icon"}
      viewBox="0 0 20 20"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
