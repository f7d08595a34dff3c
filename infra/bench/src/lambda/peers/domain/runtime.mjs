/** A runtime interface client: passes the events of Lambda's runtime API to a handler, one at a time, and
 * posts its responses (AWS Lambda Developer Guide, "Using the Lambda runtime API").
 *
 * It replaces `aws-lambda-ric`, whose installation needs a C++ compiler and libcurl's sources. It has no
 * streaming and no X-Ray, so it does less work, which favours the peer. */

import { Agent, request } from "node:http";

const [host, port = "80"] = (process.env.AWS_LAMBDA_RUNTIME_API ?? "").split(":");
const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true });

function call(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    };
    const path_ = `/2018-06-01/runtime/${path}`;
    const call = request({ host, port, agent, method, path: path_, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode < 300) resolve({ headers: response.headers, text });
        else reject(new Error(`runtime API: ${response.statusCode} ${text}`));
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

const described = (error) =>
  JSON.stringify({
    errorType: error?.name ?? "Error",
    errorMessage: String(error?.message ?? error),
    stackTrace: String(error?.stack ?? "").split("\n"),
  });

/** Serves events until the process ends. `start` creates the handler of an event and its context; if it
 * fails, the error is reported as an initialisation error. */
export async function serve(start) {
  let handler;
  try {
    handler = await start();
  } catch (error) {
    console.error(error);
    await call("POST", "init/error", described(error));
    process.exit(1);
  }
  for (;;) {
    const { headers, text } = await call("GET", "invocation/next");
    const id = headers["lambda-runtime-aws-request-id"];
    const context = {
      awsRequestId: id,
      invokedFunctionArn: headers["lambda-runtime-invoked-function-arn"],
      functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
      functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
      memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
      getRemainingTimeInMillis: () => Number(headers["lambda-runtime-deadline-ms"]) - Date.now(),
    };
    try {
      const answer = await handler(JSON.parse(text), context);
      await call("POST", `invocation/${id}/response`, JSON.stringify(answer));
    } catch (error) {
      console.error(error);
      await call("POST", `invocation/${id}/error`, described(error));
    }
  }
}
