"""Requests made up from the API's own description: every answer is one it describes, and none is a fault of ours."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from purlieu.server.http.app import make_app
from purlieu.server.http.openapi import schema_text
from purlieu.server.settings import Settings

from .site import Site

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
SLOW = ("/api/analyse", "/readyz")
"""The first thinks for seconds; the second writes to the disk each time."""
EXAMPLES = 300 if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else 12

SCHEMA = schemathesis.openapi.from_dict(make_app(Settings()).openapi())
FOUND = [result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)]
OPERATIONS = {f"{o.method.upper()} {o.path}": o for o in FOUND}


def test_the_description_that_the_clients_types_are_made_from_is_the_servers() -> None:
    kept = Path(__file__).parent.parent.parent / "web" / "openapi.json"
    fresh = "python -m purlieu.server.http.openapi > web/openapi.json"
    assert kept.read_text("utf-8") == schema_text(), f"make it anew: {fresh}"


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.split()[1] not in SLOW])
def test_no_made_up_request_is_answered_with_a_fault(site: Site, name: str) -> None:
    operation = OPERATIONS[name]
    game = site.person().make()["id"]

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        if "game_id" in case.path_parameters and len(case.path_parameters["game_id"]) % 2:
            case.path_parameters["game_id"] = game
        answer = case.call(base_url=site.url)
        case.validate_response(answer, checks=CHECKS)

    run()
