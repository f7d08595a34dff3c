/** Settings: the environment variables of the service, those that the three endpoints need. */

const NAMES = {
  accountsTable: "ACCOUNTS_TABLE",
  activityTable: "ACTIVITY_TABLE",
  ephemeralTable: "EPHEMERAL_TABLE",
  tokenSecretId: "TOKEN_SECRET_ID",
  tokenJwksParameter: "TOKEN_JWKS_PARAMETER",
  tokenIssuer: "TOKEN_ISSUER",
  tokenAudience: "TOKEN_AUDIENCE",
  dataKeyId: "DATA_KEY_ID",
  mailQueueUrl: "MAIL_QUEUE_URL",
};

/** Reads all of them; the error names every one that is missing. */
export function readSettings(environment = process.env) {
  const settings = {
    corsOrigins: (environment.CORS_ORIGINS ?? "").split(",").filter(Boolean),
    // Where it is not set, the service logs errors alone.
    logLevel: environment.RUST_LOG || "error",
  };
  const missing = [];
  for (const [field, name] of Object.entries(NAMES)) {
    if (environment[name]) settings[field] = environment[name];
    else missing.push(name);
  }
  if (missing.length > 0) throw new Error(`configuration: missing: ${missing.join(", ")}`);
  return settings;
}
