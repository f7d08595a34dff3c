"""The application, and its handler for `awslambdaric`.

Endpoints are coroutines although boto3 blocks. An instance handles one request at a time, so the thread that
FastAPI uses for ordinary functions would only add cost."""

import json
import logging
import sys
import time
from typing import Annotated

from fastapi import Depends, FastAPI, Header, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.cors import CORSMiddleware
from fastapi.responses import JSONResponse
from mangum import Mangum
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException

from .models import Me, SignedIn, Success
from .problems import LONGEST_BODY, Problem
from .registration import NEEDED, REQUIRED, RegisterSrp, field_errors
from .service import Service
from .settings import read_settings

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING}
NAMES = {404: "notFound", 405: "methodNotAllowed"}

log = logging.getLogger("request")
settings = read_settings()
service = Service(settings)
app = FastAPI(openapi_url=None)


class JsonFormatter(logging.Formatter):
    """Formats log lines as JSON objects."""

    def format(self, record):
        line = {"timestamp": self.formatTime(record), "level": record.levelname, "target": record.name}
        line |= record.msg if isinstance(record.msg, dict) else {"message": record.getMessage()}
        if record.exc_info:
            line["cause"] = self.formatException(record.exc_info)
        return json.dumps(line)


def start_log():
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers = [handler]
    level = LEVELS.get(settings.log_level, logging.ERROR)
    # Libraries log only warnings, because Mangum logs its own line for each request.
    root.setLevel(max(level, logging.WARNING))
    log.setLevel(level)


def request_id_of(scope):
    """The request id from the gateway."""
    return scope["aws.event"]["requestContext"]["requestId"]


def answer(scope, problem):
    scope["problem"] = problem
    body = problem.body(request_id_of(scope))
    return JSONResponse(body, problem.status, problem.headers())


class Surround:
    """Middleware for every request: limits the body, handles remaining errors, adds two headers, and logs a
    line."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        begun, status = time.perf_counter(), 500

        async def send_with_headers(message):
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                headers["x-request-id"] = request_id_of(scope)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        try:
            if len(scope["aws.event"].get("body") or "") > LONGEST_BODY:
                raise Problem("payloadTooLarge")
            await self.app(scope, receive, send_with_headers)
        except Exception as error:
            problem = Problem.of(error)
            if problem.status >= 500:
                log.exception("request failed")
            await answer(scope, problem)(scope, receive, send_with_headers)
        if log.isEnabledFor(logging.INFO):
            problem, route = scope.get("problem"), scope.get("route")
            log.info({
                "message": "request",
                "requestId": request_id_of(scope),
                "method": scope["method"],
                "route": route.path if route else "",
                "status": status,
                "code": problem.code if problem else "",
                "durationUs": round((time.perf_counter() - begun) * 1_000_000),
                "account": scope.get("caller", ""),
            })


app.add_middleware(
    CORSMiddleware,
    allow_origins=settings.cors_origins,
    allow_methods=["GET", "POST", "PATCH", "DELETE"],
    allow_headers=["authorization", "content-type", "idempotency-key"],
    expose_headers=["x-request-id", "retry-after"],
    max_age=600,
)
app.add_middleware(Surround)


@app.exception_handler(Problem)
async def on_problem(request: Request, problem: Problem):
    return answer(request.scope, problem)


@app.exception_handler(HTTPException)
async def on_http_exception(request: Request, error: HTTPException):
    return answer(request.scope, Problem(NAMES.get(error.status_code, "internal")))


@app.exception_handler(RequestValidationError)
async def on_wrong_body(request: Request, error: RequestValidationError):
    return answer(request.scope, problem_of(error, request.headers.get("content-type")))


def problem_of(error, content_type):
    """Responds to an invalid body."""
    first = error.errors()[0]
    whole = first["loc"] == ("body",)
    if whole and first["type"] == "missing":
        return Problem.fields([{"field": name, "message": REQUIRED} for name in NEEDED])
    if first["type"] == "json_invalid":
        return Problem("malformedBody", f"The body is not JSON: {first['ctx']['error']}.")
    if whole:
        essence = (content_type or "").partition(";")[0].strip().lower()
        if not (essence.startswith("application/") and essence.endswith(("/json", "+json"))):
            return Problem("unsupportedMediaType")
        return Problem("malformedBody", "The body is not a JSON object.")
    return Problem.fields(field_errors(error.errors()))


async def bearer(request: Request, authorization: Annotated[str | None, Header()] = None) -> str:
    """The caller's account."""
    caller = request.scope["caller"] = service.caller(authorization)
    return caller


Caller = Annotated[str, Depends(bearer)]


@app.get("/api/account/me")
async def me(caller: Caller) -> Success[Me]:
    return Success(data=service.me(caller))


@app.get("/api/prizes")
async def prizes(_caller: Caller, request: Request):
    page = service.prizes(dict(request.query_params))
    return JSONResponse({"code": "1", "message": "common.success", **page})


@app.post("/auth/register/srp", status_code=201)
async def register_srp(body: RegisterSrp, request: Request) -> Success[SignedIn]:
    client = (request.client.host if request.client else None, request.headers.get("user-agent"))
    return Success(data=service.register(body, request_id_of(request.scope), *client))


start_log()
handler = Mangum(app, lifespan="off")
