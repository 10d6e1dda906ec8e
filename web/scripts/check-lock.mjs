// Says when package-lock.json names a host, or lacks a platform's binary package.
import { readFileSync } from "node:fs";

const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8"));
const problems = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (entry.resolved) problems.push(`${path} names a host: ${entry.resolved}`);
  for (const name of Object.keys(entry.optionalDependencies ?? {}))
    if (
      /(darwin|win32|linux)/.test(name) &&
      !Object.keys(lock.packages).some((other) => other.endsWith(`node_modules/${name}`))
    )
      problems.push(`${path} may need ${name}, which is not in the lock`);
}
if (problems.length) {
  console.error(problems.join("\n"));
  process.exit(1);
}
