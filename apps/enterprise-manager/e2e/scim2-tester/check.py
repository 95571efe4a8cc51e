"""Runs every check of scim2-tester against the endpoint in SCIM_URL with the token in SCIM_TOKEN.

Prints one JSON object: how many checks ended how, and what failed or was skipped.
"""

import json
import os
from collections import Counter

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

http = Client(
    base_url=os.environ["SCIM_URL"],
    headers={"Authorization": f"Bearer {os.environ['SCIM_TOKEN']}"},
    timeout=60,
    trust_env=False,
)
results = check_server(SyncSCIMClient(http))
told = {Status.SUCCESS, Status.COMPLIANT} if hasattr(Status, "COMPLIANT") else {Status.SUCCESS}
print(
    json.dumps(
        {
            "counts": Counter(result.status.name for result in results),
            "tags": sorted({tag for result in results for tag in result.tags}),
            "others": [
                {
                    "status": result.status.name,
                    "title": result.title,
                    "resource": result.resource_type,
                    "reason": result.reason,
                }
                for result in results
                if result.status not in told
            ],
        }
    )
)
