import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type UserConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";
import { NOT_IN_REPORTS, ONLY_IN_REPORTS } from "./src/messages/areas";

/** The server to ask while working on the pages with `npm run dev`. */
const SERVER = "http://127.0.0.1:8040";

const dashboard: UserConfig = {
  base: "./",
  plugins: [withoutMessages(ONLY_IN_REPORTS), react()],
  build: {
    outDir: "../src/assay/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy forbids inline styles, scripts and fonts
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // what pages share is one file, so that opening a page is one request
      output: {
        advancedChunks: { groups: [{ name: "shared", test: /src\/(api|components|lib)\//, minShareCount: 3 }] },
      },
    },
  },
  server: { proxy: { "/v1": SERVER } },
};

/** One file with everything in it; Python puts the data of a run where its marker is. */
const report: UserConfig = {
  plugins: [withoutMessages(NOT_IN_REPORTS), react(), viteSingleFile(), policy()],
  logLevel: "warn",
  build: {
    outDir: "../src/assay/report/page",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "report.html" },
  },
};

export default defineConfig(({ mode }) => (mode === "report" ? report : dashboard));

/** Leaves messages out that no page of a build shows. */
function withoutMessages(others: RegExp): Plugin {
  return {
    name: "without-messages",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (!/\/messages\/\w+\.json$/.test(id)) return null;
      const messages = Object.entries(JSON.parse(code)).filter(([key]) => !others.test(key));
      return { code: JSON.stringify(Object.fromEntries(messages)), map: null };
    },
  };
}

/** Says in the report which script and style may run: its own, known by their hashes; nothing is ever fetched. */
function policy(): Plugin {
  return {
    name: "policy",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const page = bundle["report.html"];
        if (page?.type !== "asset") throw new Error("there is no report.html to protect");
        const html = String(page.source);
        const [script, style] = await Promise.all([
          hashes(html, "script"),
          hashes(html.replace(/<script[\s\S]*?<\/script>/g, ""), "style"),
        ]);
        const rules = [
          "default-src 'none'",
          `script-src ${script}`,
          `style-src ${style}`,
          "img-src data: blob:",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        page.source = html.replace(
          "<!--POLICY-->",
          () => `<meta http-equiv="Content-Security-Policy" content="${rules}" />`,
        );
      },
    },
  };
}

/** The hashes of what stands inside all elements of a name, as a policy lists them. */
async function hashes(html: string, element: string): Promise<string> {
  const texts = [...html.matchAll(new RegExp(`<${element}[^>]*>([^]*?)</${element}>`, "g"))].map(([, text]) =>
    new TextEncoder().encode(text),
  );
  const found = await Promise.all(texts.map((text) => crypto.subtle.digest("SHA-256", text)));
  return found.map((hash) => `'sha256-${btoa(String.fromCharCode(...new Uint8Array(hash)))}'`).join(" ");
}
