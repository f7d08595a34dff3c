/** The Fastify peer: the three endpoints as a Fastify application.
 *
 * Responses have no schema, because compiling one at each cold start costs more than it saves. */

import cors from "@fastify/cors";
import Fastify, { LogController } from "fastify";

import {
  GROUPS,
  LONGEST_BLOB,
  LONGEST_CODE,
  LONGEST_EMAIL,
  LONGEST_HINT,
  LONGEST_SALT,
  LONGEST_VERIFIER,
  DEFAULT_GROUP,
  TRADING_KEY_FIELDS,
  inOrder,
  messages,
  wrongBlob,
  wrongEmail,
  wrongGroup,
  wrongSalt,
  wrongVerifier,
} from "../domain/inputs.mjs";
import { LONGEST_BODY, Problem, success } from "../domain/problems.mjs";
import { Service } from "../domain/service.mjs";

const FORMATS = { mailbox: wrongEmail, salt: wrongSalt, base64: wrongBlob };

const text = (maxLength, format) => ({ type: "string", minLength: 1, maxLength, ...(format && { format }) });
const optionalText = (maxLength) => ({ type: "string", nullable: true, maxLength });

const REGISTRATION = {
  type: "object",
  required: ["email", "srpSalt", "srpVerifier", "encryptedBlob"],
  properties: {
    email: text(LONGEST_EMAIL, "mailbox"),
    srpSalt: text(LONGEST_SALT, "salt"),
    srpGroup: { type: "integer", nullable: true, enum: [...GROUPS, null] },
    srpVerifier: { ...text(LONGEST_VERIFIER), isVerifier: true },
    encryptedBlob: text(LONGEST_BLOB, "base64"),
    passwordHint: optionalText(LONGEST_HINT),
    referralCode: optionalText(LONGEST_CODE),
    ...Object.fromEntries(TRADING_KEY_FIELDS.map((name) => [name, { const: null }])),
  },
};

/** Whether a verifier belongs to the group given with it. Nothing else is checked. */
const isVerifier = {
  keyword: "isVerifier",
  validate: (_schema, value, _parent, { parentData }) => {
    const group = parentData.srpGroup ?? DEFAULT_GROUP;
    return typeof value !== "string" || !GROUPS.includes(group) || !wrongVerifier(value, group);
  },
};

function ajvOptions() {
  const formats = Object.entries(FORMATS).map(([name, wrong]) => [name, (value) => !wrong(value)]);
  return {
    customOptions: {
      allErrors: true,
      coerceTypes: false,
      verbose: true,
      formats: Object.fromEntries(formats),
      keywords: [isVerifier],
    },
  };
}

/** The error message for the client, from an error of Ajv. */
function fieldError({ instancePath, keyword, params, data, parentSchema }, body) {
  const field = keyword === "required" ? params.missingProperty : instancePath.slice(1);
  const message = () => {
    if (keyword === "required" || data === null) return messages.required;
    if (field === "srpGroup") return wrongGroup(data);
    switch (keyword) {
      case "type": return messages.type(data, `a ${parentSchema.type}`);
      case "minLength": return messages.empty;
      case "maxLength": return messages.atMost(params.limit);
      case "format": return FORMATS[params.format](data);
      case "isVerifier": return wrongVerifier(data, body.srpGroup ?? DEFAULT_GROUP);
      default: return messages.tradingKey;
    }
  };
  return { field, message: message() };
}

/** The problem for an error of the framework. */
function problemOf(error, request) {
  if (error.validation?.some(({ instancePath, keyword }) => keyword === "type" && !instancePath)) {
    return new Problem("malformedBody", { details: "The body is not a JSON object." });
  }
  if (error.validation) {
    return Problem.fields(inOrder(error.validation.map((error) => fieldError(error, request.body))));
  }
  if (error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new Problem("unsupportedMediaType");
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") return new Problem("payloadTooLarge");
  if (error instanceof SyntaxError || error.statusCode === 400) {
    return new Problem("malformedBody", { details: `The body is not JSON: ${error.message}.` });
  }
  return Problem.of(error);
}

/** The request id from the gateway. */
const requestId = (request) => request.awsLambda?.event?.requestContext.requestId ?? request.id;

/** Creates the application, without I/O. */
export function build(settings) {
  const app = Fastify({
    ajv: ajvOptions(),
    bodyLimit: LONGEST_BODY,
    logController: new LogController({ disableRequestLogging: true }),
    logger: { base: null, level: settings.logLevel },
  });
  const service = new Service(settings, (what, error) => app.log.error(error, what));

  app.register(cors, {
    origin: settings.corsOrigins,
    methods: ["GET", "POST", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key"],
    exposedHeaders: ["x-request-id", "retry-after"],
    maxAge: 600,
  });
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(.+\+)?json\b/i, { parseAs: "string" }, (request, text, done) =>
    text === "" ? done(null, {}) : parse(request, text, done),
  );
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error, request);
    if (problem.status >= 500) request.log.error(error, "request failed");
    request.problem = problem;
    return reply.code(problem.status).headers(problem.headers()).send(problem.body(requestId(request)));
  });
  app.setNotFoundHandler(() => {
    throw new Problem("notFound");
  });
  app.decorateRequest("caller", null);
  app.decorateRequest("problem", null);
  app.addHook("onSend", async (request, reply) => {
    reply.headers({ "x-request-id": requestId(request), "cache-control": "no-store" });
  });
  app.addHook("onResponse", async (request, reply) => {
    request.log.info(
      {
        requestId: requestId(request),
        method: request.method,
        route: request.routeOptions.url ?? "",
        status: reply.statusCode,
        code: request.problem?.code ?? "",
        durationUs: Math.round(reply.elapsedTime * 1000),
        account: request.caller ?? "",
      },
      "request",
    );
  });

  app.register(async (routes) => {
    const authenticate = async (request) => {
      request.caller = await service.caller(request.headers.authorization);
    };
    routes.get("/api/account/me", { onRequest: authenticate }, async ({ caller }) =>
      success(await service.me(caller)),
    );
    routes.get("/api/prizes", { onRequest: authenticate }, async ({ query }) => {
      const { data, metaData } = await service.prizes(query);
      return success(data, metaData);
    });
    const register = {
      schema: { body: REGISTRATION },
      preValidation: async (request) => {
        if (request.body === undefined) request.body = {};
      },
    };
    routes.post("/auth/register/srp", register, async (request, reply) => {
      const client = {
        requestId: requestId(request),
        source: request.ip,
        userAgent: request.headers["user-agent"],
      };
      reply.code(201);
      return success(await service.register(request.body, client));
    });
  });
  return app;
}
