import { href, pathTo } from "../lib/url";

export function RunLink({ name }: { name: string }) {
  return (
    <a href={href(pathTo("/runs/:run", { run: name }))} dir="auto">
      {name}
    </a>
  );
}
