"""Calls every operation of the OpenAPI document with what schemathesis makes of it, on the real binary, signed in as a
sitter: no answer is a defect, and each has a status and a form that the document names.

Usage: conformance.py BINARY PYTHON EXAMPLES; on PostgreSQL where WALKIES_TEST_POSTGRES names one, else on SQLite.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.request

# That what fits the schema is taken is none of them: rules refuse what no schema holds, a date that is past, no pet.
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,"
    "response_headers_conformance,negative_data_rejection"
)
# Whoever is signed out, or gone, tests nothing from then on; the upgrade to a WebSocket is no answer over HTTP.
LEFT_OUT = ["/api/auth/signout", "/api/auth/account", "/api/realtime"]
SEED = "20261122"


def sign_up(address: str, binary: str, data: list[str]) -> str:
    email = "dana@example.com"
    link = subprocess.run([binary, "invite", email, *data], stdout=subprocess.PIPE, text=True, check=True, env={}).stdout
    _, invitation = link.strip().split("?invitation=")
    form = {"name": "Dana", "email": email, "password": "a walk in the rain", "time_zone": "UTC", "invitation": invitation}
    request = urllib.request.Request(
        f"http://{address}/api/auth/signup", json.dumps(form).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["data"]["token"]


def main(binary: str, python: str, examples: str) -> int:
    database = os.environ.get("WALKIES_TEST_POSTGRES")
    binary, python = os.path.abspath(binary), os.path.abspath(python)
    with tempfile.TemporaryDirectory() as folder:
        data = ["--data", folder] + (["--database", database] if database else [])
        command = [binary, "serve", *data, "--listen", "127.0.0.1:0"]
        command += ["--tries-by-address", "1000000", "--tries-by-account", "1000000"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={"WALKIES_LOG": "error"})
        try:
            said = "Walkies listens on http://"
            address = next(line[len(said) :].strip() for line in server.stdout if line.startswith(said))
            config = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schemathesis.toml")
            run = [python, "-m", "schemathesis.cli", "--config-file", config, "run", f"http://{address}/api/openapi.json"]
            run += ["--header", f"Authorization: Bearer {sign_up(address, binary, data)}", "--checks", CHECKS]
            run += ["--phases", "examples,coverage,fuzzing", "--max-examples", examples, "--seed", SEED]
            run += ["--generation-database", "none", "--continue-on-failure", "--no-color"]
            run += ["--suppress-health-check", "all", "--warnings", "off"]
            for path in LEFT_OUT:
                run += ["--exclude-path", path]
            return subprocess.run(run, cwd=folder).returncode
        finally:
            server.terminate()
            server.wait()


sys.exit(main(*sys.argv[1:]))
