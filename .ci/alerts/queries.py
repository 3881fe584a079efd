# SPDX-License-Identifier: Apache-2.0
"""Asks Prometheus each query of a dashboard: queries.py <dashboard> <address>."""

import json
import sys
import urllib.parse
import urllib.request

dashboard, address = sys.argv[1:]
VARIABLES = {"$__rate_interval": "10s", "$__range": "10s", "$client": ".*", "$listener": ".*", "$queue": ".*"}

asked, silent, wrong = 0, [], []
with open(dashboard, encoding="utf-8") as file:
    panels = json.load(file)["panels"]
for panel in panels:
    for target in panel.get("targets", []):
        query = target["expr"]
        for name, value in VARIABLES.items():
            query = query.replace(name, value)
        with urllib.request.urlopen(f"{address}/api/v1/query?" + urllib.parse.urlencode({"query": query})) as response:
            result = json.load(response)["data"]["result"]
        asked += 1
        if not result and "noValue" in panel["fieldConfig"]["defaults"]:
            silent.append(panel["title"])
        elif not result:
            wrong.append(f"{panel['title']}: {target['expr']}")
print(f"dashboard: {asked} queries, {asked - len(silent) - len(wrong)} with data, {len(silent)} of panels that say when: {sorted(set(silent))}")
for each in wrong:
    print("dashboard: no data, and the panel does not say when: " + each, file=sys.stderr)
sys.exit(1 if wrong else 0)
