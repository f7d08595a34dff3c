/** What is known of a request. */

import type { FastifyRequest } from "fastify";

/** A request, and what guards and filters note on it. */
export interface KnownRequest extends FastifyRequest {
  awsLambda?: { event?: { requestContext: { requestId: string } } };
  caller?: string;
  problem?: { code: string };
}

/** The request's id, as the gateway says. */
export const requestId = (request: KnownRequest): string =>
  request.awsLambda?.event?.requestContext.requestId ?? request.id;
