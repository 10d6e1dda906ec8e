// Says which lines are longer than the formatter allows: it leaves texts and comments as they are.
// Messages are no code: each is one line.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const LIMIT = 120;
const root = fileURLToPath(new URL("../", import.meta.url));
const files = ["", "scripts", "src"]
  .flatMap((folder) => readdirSync(root + folder, { recursive: folder !== "" }).map((name) => `${folder}/${name}`))
  .filter((file) => /\.(css|html|js|jsonc?|mjs|tsx?)$/.test(file) && !/package-lock\.json$|\/messages\//.test(file));
const problems = files.flatMap((file) =>
  readFileSync(root + file, "utf8")
    .split("\n")
    .flatMap((line, index) => ([...line].length > LIMIT ? [`${file.replace(/^\//, "")}:${index + 1}`] : [])),
);
if (problems.length) {
  console.error(`lines over ${LIMIT} characters:\n${problems.join("\n")}`);
  process.exit(1);
}
