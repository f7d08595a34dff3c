/** The NestJS peer: the three endpoints as a NestJS application, on the faster of its two platforms. */

import {
  type ArgumentsHost,
  Catch,
  ConsoleLogger,
  type DynamicModule,
  type ExceptionFilter,
  HttpException,
  type LogLevel,
  Logger,
  Module,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import type { FastifyReply } from "fastify";

import { LONGEST_BODY, Problem } from "../domain/problems.mjs";
import { Service } from "../domain/service.mjs";
import { AccountController, AuthController, PrizesController } from "./controllers.mjs";
import { type KnownRequest, requestId } from "./request.mjs";

const LEVELS: LogLevel[] = ["debug", "log", "warn", "error", "fatal"];
const LOGGED: Record<string, LogLevel> = { debug: "debug", info: "log", warn: "warn" };

const NAMES: Record<number, string> = { 404: "notFound", 413: "payloadTooLarge", 415: "unsupportedMediaType" };

/** Converts errors of the framework to problems. */
function problemOf(error: unknown) {
  const name = error instanceof HttpException ? NAMES[error.getStatus()] : undefined;
  return name ? new Problem(name) : Problem.of(error);
}

@Catch()
class ProblemFilter implements ExceptionFilter {
  readonly #logger = new Logger(ProblemFilter.name);

  catch(error: any, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<KnownRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const problem: any = problemOf(error);
    if (problem.status >= 500) this.#logger.error("request failed", error?.stack);
    request.problem = problem;
    reply.code(problem.status).headers(problem.headers()).send(problem.body(requestId(request)));
  }
}

@Module({ controllers: [AccountController, PrizesController, AuthController] })
class AppModule {
  /** The module of a deployment. */
  static of(settings: any): DynamicModule {
    const logger = new Logger(Service.name);
    const log = (what: string, error: Error) => logger.error(what, error.stack);
    return {
      module: AppModule,
      providers: [{ provide: Service, useFactory: () => new Service(settings, log) }],
    };
  }
}

/** Reads a body: a JSON object; an empty one counts as `{}`. */
function parse(text: string) {
  if (text === "") return {};
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error: any) {
    throw new Problem("malformedBody", { details: `The body is not JSON: ${error.message}.` } as any);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Problem("malformedBody", { details: "The body is not a JSON object." } as any);
  }
  return body;
}

/** Creates the application, without I/O. */
export async function build(settings: any): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({ bodyLimit: LONGEST_BODY });
  const level = LEVELS.indexOf(LOGGED[settings.logLevel] ?? "error");
  const logLevels = LEVELS.slice(level);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.of(settings), adapter, {
    bodyParser: false,
    logger: new ConsoleLogger({ json: true, logLevels }),
  });
  app.enableCors({
    origin: settings.corsOrigins,
    methods: ["GET", "POST", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", "idempotency-key"],
    exposedHeaders: ["x-request-id", "retry-after"],
    maxAge: 600,
  });
  app.useGlobalFilters(new ProblemFilter());

  const requests = new Logger("request");
  const instance = adapter.getInstance();
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser(
    /^application\/(.+\+)?json\b/i,
    { parseAs: "string" },
    async (_request: unknown, text: string) => parse(text),
  );
  instance.addHook("onSend", async (request: KnownRequest, reply) => {
    reply.headers({ "x-request-id": requestId(request), "cache-control": "no-store" });
  });
  instance.addHook("onResponse", async (request: KnownRequest, reply) => {
    requests.log({
      requestId: requestId(request),
      method: request.method,
      route: request.routeOptions.url ?? "",
      status: reply.statusCode,
      code: request.problem?.code ?? "",
      durationUs: Math.round(reply.elapsedTime * 1000),
      account: request.caller ?? "",
    });
  });
  return app;
}
