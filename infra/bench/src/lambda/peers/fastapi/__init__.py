"""The FastAPI peer: the three endpoints as a FastAPI application behind Mangum."""
