"""The service's problems that these endpoints can return."""

from botocore.exceptions import BotoCoreError, ClientError

PROBLEMS = {
    "validation": (400, "1001", "common.validation", "Fields of the request are missing or wrong; `errors` names each."),
    "malformedBody": (400, "1002", "common.malformedBody", "The body is not JSON, or not a JSON object."),
    "notFound": (404, "1003", "common.notFound", "There is nothing at this path."),
    "methodNotAllowed": (405, "1004", "common.methodNotAllowed", "This path has other methods; `Allow` names them."),
    "payloadTooLarge": (413, "1005", "common.payloadTooLarge", "The body is larger than 256 KiB."),
    "unsupportedMediaType": (415, "1006", "common.unsupportedMediaType", "The body must be JSON: set Content-Type to application/json."),
    "internal": (500, "1008", "common.internal", "The service failed. Contact support with the request id."),
    "unavailable": (503, "1009", "common.unavailable", "The service is temporarily unavailable. Try again."),
    "sortTooLarge": (400, "1012", "common.sortTooLarge", "The list is too long to be sorted by this field."),
    "rateLimited": (429, "1013", "common.rateLimited", "Too many requests. Try again after the time in Retry-After."),
    "invalidToken": (401, "4002", "auth.invalidToken", "The access token is invalid."),
    "tokenExpired": (401, "4003", "auth.tokenExpired", "The access token has expired. Refresh it."),
    "noAuthorization": (401, "4004", "auth.noAuthorization", "The request has no Authorization header with a Bearer token."),
    "accountNotFound": (401, "4006", "auth.accountNotFound", "The account does not exist."),
    "accountDisabled": (401, "4011", "auth.accountDisabled", "The account is disabled."),
    "emailTaken": (409, "4023", "auth.emailTaken", "The e-mail address already belongs to an account."),
    "referralCodeUnknown": (400, "4030", "auth.referralCodeUnknown", "The referral code does not exist."),
}

BUSY = {
    "InternalServerError",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionConflictException",
    "TransactionInProgressException",
}

# The maximum size of a body, in bytes.
LONGEST_BODY = 256 * 1024


class Problem(Exception):
    """An error for the client."""

    def __init__(self, name, details=None, errors=(), retry_after=None):
        self.status, self.code, self.key, meaning = PROBLEMS[name]
        self.name, self.errors, self.retry_after = name, list(errors), retry_after
        self.details = details or meaning
        super().__init__(self.details)

    @classmethod
    def fields(cls, errors):
        """The problem of missing or invalid fields."""
        names = ", ".join(error["field"] for error in errors)
        return cls("validation", f"Missing or wrong: {names}.", errors)

    @classmethod
    def of(cls, error):
        """The problem for any other error: AWS is busy, or the service has a fault."""
        if isinstance(error, cls):
            return error
        busy = isinstance(error, BotoCoreError) or (
            isinstance(error, ClientError) and error.response["Error"]["Code"] in BUSY
        )
        return cls("unavailable" if busy else "internal")

    def body(self, request_id):
        """The body of the response."""
        body = {"code": self.code, "message": self.key, "details": self.details, "requestId": request_id}
        return body | {"errors": self.errors} if self.errors else body

    def headers(self):
        """Additional headers of the response."""
        headers = {"www-authenticate": "Bearer"} if self.status == 401 else {}
        return headers | ({"retry-after": str(self.retry_after)} if self.retry_after else {})
