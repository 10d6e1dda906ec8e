import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The server to ask while working on the pages with `npm run dev`. */
const SERVER = "http://127.0.0.1:8040";

export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    outDir: "../src/assay/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the server's policy forbids inline styles, scripts and fonts
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // what pages share is one file, so that opening a page is one request
      output: { advancedChunks: { groups: [{ name: "shared", test: /src\/(api|components|lib)\//, minShareCount: 3 }] } },
    },
  },
  server: { proxy: { "/v1": SERVER } },
});
