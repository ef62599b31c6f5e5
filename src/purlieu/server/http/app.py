"""The server put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from anyio.lowlevel import checkpoint
from fastapi import FastAPI

from purlieu import __version__
from purlieu.rules.pyloff import SIZES
from purlieu.rules.pyramid import pyramid

from ..settings import Settings
from ..wire.frames import frame_schemas
from ..wire.strict_json import json_text
from . import errors, static
from .errors import ErrorBody
from .guard import Guard
from .headers import OuterLayer
from .lifespan import end_runtime, start_runtime
from .routes import analyse, games, health, pictures, positions, sessions, socket

REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorBody} for status in (400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503)
}


class DescribedApp(FastAPI):
    """An application whose description has the frames of its socket too, which OpenAPI itself knows nothing of."""

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        if self.openapi_schema is None:
            schemas = super().openapi()["components"]["schemas"]
            for name, schema in frame_schemas("#/components/schemas/{model}").items():
                assert schemas.setdefault(name, schema) == schema, f"two forms are called {name}"
        assert self.openapi_schema
        return self.openapi_schema


def prepare(app: FastAPI) -> None:
    """Do what would otherwise hold up everybody when it is first needed: tenths of a second."""
    app.state.docs = json_text(app.openapi())  # FastAPI makes its routes ready with it
    for size in SIZES:
        pyramid(size)


def make_app(settings: Settings) -> FastAPI:
    """A server with these settings."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.runtime = runtime = await start_runtime(settings)
        prepare(app)
        await checkpoint()  # anyio, which Starlette waits with, loads the half of it that it needs
        yield
        await end_runtime(runtime)

    app = DescribedApp(
        title="purlieu",
        version=__version__,
        description="Petrify, Pilo, Pentwall and Pyloff: play, look, learn.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # routes/health.py serves it, with a limit as every route has one
        responses=REFUSALS,
        lifespan=lifespan,
    )
    errors.install(app)
    for part in (positions, analyse, games, sessions, pictures, socket, health):
        app.include_router(part.router)
    static.install(app, settings.web)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(OuterLayer, settings=settings)
    return app
