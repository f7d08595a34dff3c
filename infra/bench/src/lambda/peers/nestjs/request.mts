/** Data about a request. */

import type { FastifyRequest } from "fastify";

/** A request, and the data that guards and filters add to it. */
export interface KnownRequest extends FastifyRequest {
  awsLambda?: { event?: { requestContext: { requestId: string } } };
  caller?: string;
  problem?: { code: string };
}

/** The request id from the gateway. */
export const requestId = (request: KnownRequest): string =>
  request.awsLambda?.event?.requestContext.requestId ?? request.id;
