/** Bundles the Fastify peer into one file next to this folder, the usual form of deployment. `make` copies this
 * folder next to the peer's packages and runs this script there. */

import { join } from "node:path";

import { build } from "esbuild";

const peers = import.meta.dirname;

await build({
  entryPoints: [join(peers, "fastify/main.mjs")],
  outfile: join(peers, "../fastify.mjs"),
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node20",
  mainFields: ["module", "main"],
  minify: true,
  legalComments: "none",
  banner: {
    js: 'import{createRequire as bundled}from"node:module";const require=bundled(import.meta.url);',
  },
  logLevel: "warning",
});
