/** Bundles each JavaScript peer into one file next to this folder, the usual form of deployment. `make` copies
 * this folder next to the peers' packages and runs this script there. */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { build } from "esbuild";

const peers = import.meta.dirname;
const folder = join(peers, "..");

/** Packages that Nest requires only if an application uses them. */
const OPTIONAL = [
  "@fastify/multipart",
  "@fastify/static",
  "@fastify/view",
  "@nestjs/microservices",
  "@nestjs/platform-express",
  "@nestjs/websockets",
];

// esbuild does not emit the decorator metadata that Nest needs for injection; the compiler does.
const compiler = join(folder, "node_modules/typescript/bin/tsc");
execFileSync(process.execPath, [compiler, "--project", join(peers, "nestjs")], { stdio: "inherit" });

for (const [name, entry] of [
  ["fastify", join(peers, "fastify/main.mjs")],
  ["nestjs", join(folder, "compiled/nestjs/main.mjs")],
]) {
  await build({
    entryPoints: [entry],
    outfile: join(folder, `${name}.mjs`),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    minify: true,
    // Nest uses class names in its log.
    keepNames: name === "nestjs",
    legalComments: "none",
    external: OPTIONAL.flatMap((name) => [name, `${name}/*`]),
    banner: {
      js: 'import{createRequire as bundled}from"node:module";const require=bundled(import.meta.url);',
    },
    logLevel: "warning",
  });
}
