/** The NestJS peer as a Lambda function. */

import "reflect-metadata";

import awsLambdaFastify from "@fastify/aws-lambda";
import type { FastifyInstance } from "fastify";

import { serve } from "../domain/runtime.mjs";
import { readSettings } from "../domain/settings.mjs";
import { build } from "./app.mjs";

await serve(async () => {
  const app = await build(readSettings());
  const instance = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const handler = awsLambdaFastify(instance, { parseCommaSeparatedQueryParams: false });
  await app.init();
  await instance.ready();
  return handler;
});
