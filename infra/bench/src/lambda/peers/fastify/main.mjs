/** The Fastify peer as a Lambda function. */

import awsLambdaFastify from "@fastify/aws-lambda";

import { serve } from "../domain/runtime.mjs";
import { readSettings } from "../domain/settings.mjs";
import { build } from "./app.mjs";

await serve(async () => {
  const app = build(readSettings());
  const handler = awsLambdaFastify(app, { parseCommaSeparatedQueryParams: false });
  await app.ready();
  return handler;
});
