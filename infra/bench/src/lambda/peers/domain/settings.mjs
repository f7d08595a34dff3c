/** Settings from the service's environment variables that the three endpoints need. */

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

/** Reads all settings. The error names all missing variables. */
export function readSettings(environment = process.env) {
  const settings = {
    corsOrigins: (environment.CORS_ORIGINS ?? "").split(",").filter(Boolean),
    // If it is not set, the service logs only errors.
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
