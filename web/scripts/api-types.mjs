// Writes src/api/generated/schema.ts from the server's OpenAPI document.
// usage: node scripts/api-types.mjs [--check] [openapi.json]
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const isCheck = process.argv.includes("--check");
const source = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? here("../../tests/server/openapi.json");
const target = here("../src/api/generated/schema.ts");

const name = (ref) =>
  ref
    .split("/")
    .at(-1)
    .replace(/^Page_(.+)_$/, "PageOf$1")
    .replace(/\W/g, "_");
const key = (word) => (/^[A-Za-z_$][\w$]*$/.test(word) ? word : JSON.stringify(word));
const comment = (text, indent) =>
  text ? `${indent}/** ${text.replaceAll("*/", "*\\/").replace(/\n+/g, `\n${indent} * `)} */\n` : "";

/** The TypeScript type of a JSON Schema. */
function type(schema, indent = "") {
  if (schema === undefined || schema === true || Object.keys(schema).length === 0) return "unknown";
  if (schema.$ref) return name(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map((option) => type(option, indent)))].join(" | ");
  if (schema.allOf) return schema.allOf.map((part) => type(part, indent)).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.map((one) => type({ ...schema, type: one }, indent)).join(" | ");
  if (schema.type === "array") {
    if (schema.prefixItems) return `[${schema.prefixItems.map((item) => type(item, indent)).join(", ")}]`;
    const item = type(schema.items, indent);
    return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
  }
  if (schema.type === "object") return object(schema, indent);
  if (schema.type === "integer" || schema.type === "number") return "number";
  if (schema.type === "string") return schema.format === "binary" ? "Blob" : "string";
  return schema.type ?? "unknown";
}

function object(schema, indent) {
  if (!schema.properties) {
    const value = type(
      typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined,
      indent,
    );
    return `{ [name: string]: ${value} }`;
  }
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties).map(([word, property]) => {
    const mark = schema.required?.includes(word) ? "" : "?";
    return `${comment(property.description, inner)}${inner}${key(word)}${mark}: ${type(property, inner)};`;
  });
  return `{\n${lines.join("\n")}\n${indent}}`;
}

const operations = (document) =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
    )
    .filter((operation) => operation.operationId)
    .sort((a, b) => (a.operationId < b.operationId ? -1 : 1));

/** What an operation takes: parameters of its path and query by name, and its body. */
function argumentsOf(operation) {
  const parameters = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === "path" || parameter.in === "query",
  );
  const content = operation.requestBody?.content ?? {};
  const body = content["application/json"]?.schema;
  const lines = parameters.map(
    (parameter) => `${key(parameter.name)}${parameter.required ? "" : "?"}: ${type(parameter.schema, "    ")}`,
  );
  if (body) lines.push(`body${operation.requestBody.required ? "" : "?"}: ${type(body, "    ")}`);
  else if (content["multipart/form-data"]) lines.push("body: FormData");
  else if (operation.requestBody) lines.push("body: BodyInit");
  return lines.length ? `{ ${lines.join("; ")} }` : "{}";
}

function answerOf(operation) {
  const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
  if (!good || good[0] === "204") return "undefined";
  return type(good[1].content?.["application/json"]?.schema, "    ");
}

function write(document) {
  const schemas = Object.entries(document.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const types = schemas.map(([word, schema]) => {
    const body = type(schema);
    const says = comment(schema.description, "");
    return `${says}export type ${name(word)} = ${body};`;
  });
  const listed = operations(document);
  const signatures = listed.map(
    (operation) => `  ${operation.operationId}: { given: ${argumentsOf(operation)}; answer: ${answerOf(operation)} };`,
  );
  const paths = listed.map((operation) => {
    const query = (operation.parameters ?? [])
      .filter((parameter) => parameter.in === "query")
      .map((parameter) => parameter.name);
    const parts = [operation.method.toUpperCase(), operation.path, ...query].map((word) => JSON.stringify(word));
    return `  ${operation.operationId}: [${parts.join(", ")}],`;
  });
  return `// Made from the server's OpenAPI document by "npm run types"; do not edit.

${types.join("\n\n")}

/** What each operation takes and answers. */
export interface Operations {
${signatures.join("\n")}
}

/** Method, path and the names of query parameters of each operation. */
export const OPERATIONS: { readonly [Name in keyof Operations]: readonly [string, string, ...string[]] } = {
${paths.join("\n")}
};
`;
}

/** The text as the formatter writes it. */
function format(text) {
  const biome = here("../node_modules/@biomejs/biome/bin/biome");
  const words = [biome, "format", `--stdin-file-path=${target}`];
  return execFileSync(process.execPath, words, { cwd: here(".."), input: text, encoding: "utf8" });
}

if (!existsSync(source)) {
  console.error(`${source} is not there; the generated types were not looked at`);
  process.exit(isCheck ? 0 : 1);
}
const wanted = format(write(JSON.parse(readFileSync(source, "utf8"))));
if (isCheck) {
  if (!existsSync(target) || readFileSync(target, "utf8") !== wanted) {
    console.error('src/api/generated/schema.ts is stale; run "npm run types"');
    process.exit(1);
  }
} else {
  mkdirSync(here("../src/api/generated"), { recursive: true });
  writeFileSync(target, wanted);
}
