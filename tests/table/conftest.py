"""Ends what the tests of the store started: a worker process of pytest ends without the usual farewells."""

from tests.table.store_support import postgres_server


def pytest_sessionfinish() -> None:
    if postgres_server.cache_info().currsize:
        postgres_server().close()
        postgres_server.cache_clear()
