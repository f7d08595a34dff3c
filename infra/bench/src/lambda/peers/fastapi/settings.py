"""Settings from the service's environment variables that the three endpoints need."""

import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    accounts_table: str
    activity_table: str
    ephemeral_table: str
    token_secret_id: str
    token_jwks_parameter: str
    token_issuer: str
    token_audience: str
    data_key_id: str
    mail_queue_url: str
    cors_origins: list[str]
    log_level: str


def read_settings(environment=os.environ) -> Settings:
    """Reads all settings. The error names all missing variables."""
    texts = {name: environment.get(name.upper(), "") for name in Settings.__annotations__}
    del texts["cors_origins"], texts["log_level"]
    missing = [name.upper() for name, text in texts.items() if not text]
    if missing:
        raise RuntimeError(f"configuration: missing: {', '.join(missing)}")
    origins = [origin for origin in environment.get("CORS_ORIGINS", "").split(",") if origin]
    # If it is not set, the service logs only errors.
    level = environment.get("RUST_LOG") or "error"
    return Settings(**texts, cors_origins=origins, log_level=level)
