"""Our own rules over the rendered objects: what no schema knows."""

from __future__ import annotations

import re
from typing import Any

import pytest

from service import config
from service.grpc_edge.health import LIVENESS, READINESS
from tests.deploy.rendered import (
    DEPLOY,
    KUBERNETES,
    OVERLAYS,
    ROOT,
    Object,
    containers,
    environment,
    labels,
    manifest,
    named,
    objects,
    of_kind,
    pod,
    seconds,
    workloads,
)

pytestmark = pytest.mark.parametrize("overlay", OVERLAYS)

CACHED = 15  # bytes a cached table takes for each that KONTOR_CACHE_BYTES counts: docs/capacity.md
ITSELF = 128 * 2**20  # bytes of a service that holds nothing yet, and some to spare
AFTER_DRAIN = 10.0  # seconds for what ends after the calls: bots, the lane of appends (5 s), the interpreter

# Settings that no overlay needs to name, and why.
UNNAMED = {
    "KONTOR_DATA_DIR": "nothing is kept in a pod: the log is a Redis, the keys are a secret",
    "KONTOR_API_KEYS_FILE": "optional: a secret of the operator's own (docs/operating.md)",
    "KONTOR_TLS_CERT_FILE": "by the component tls",
    "KONTOR_TLS_KEY_FILE": "by the component tls",
}


def kontor(overlay: str) -> tuple[Object, Object]:
    """The service's workload and container."""
    workload = named(overlay, "Deployment", "kontor")
    return workload, pod(workload)["containers"][0]


def settings_of(overlay: str) -> dict[str, str | None]:
    """The service's variables."""
    return environment(overlay, *kontor(overlay))


def test_every_container_is_probed_limited_and_confined(overlay: str) -> None:
    """Probes of all three kinds, requests and limits, the restricted security context."""
    for workload, one in containers(overlay):
        assert {"startupProbe", "livenessProbe", "readinessProbe"} <= one.keys(), one["name"]
        assert one["resources"]["requests"].keys() == one["resources"]["limits"].keys() == {"cpu", "memory"}
        own, whole = one["securityContext"], pod(workload)["securityContext"]
        assert own["readOnlyRootFilesystem"]
        assert own["allowPrivilegeEscalation"] is False
        assert own["capabilities"] == {"drop": ["ALL"]}
        assert whole["runAsNonRoot"]
        assert whole["runAsUser"] > 10000
        assert whole["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod(workload)["automountServiceAccountToken"] is False
        assert pod(workload)["enableServiceLinks"] is False


def test_every_image_is_pinned(overlay: str) -> None:
    """By a tag that is a version, or by digest; without the name of a registry."""
    for _, one in containers(overlay):
        assert re.fullmatch(r"[a-z]+(/[a-z]+)?(:[a-z-]*v?\d+\.\d+\.\d+|@sha256:[0-9a-f]{64})", one["image"]), one[
            "image"
        ]


def test_settings_are_those_of_the_code(overlay: str) -> None:
    """Each variable is a setting, with a value it takes, and each setting is set or named above."""
    given = settings_of(overlay)
    known = {setting.variable for setting in config.settings()}
    assert {name for name in given if name.startswith("KONTOR_")} - known == set()
    assert known - given.keys() - UNNAMED.keys() == set()
    secret = {"KONTOR_REDIS_URL": "redis://x"}
    config.load({name: secret.get(name, value or "") for name, value in given.items()})


def test_ports_are_those_of_the_settings(overlay: str) -> None:
    """The container's ports, the probes' and the services' are the ones the service listens on."""
    given = settings_of(overlay)
    _, one = kontor(overlay)
    ports = {port["name"]: port["containerPort"] for port in one["ports"]}
    assert given["KONTOR_LISTEN"] == f"0.0.0.0:{ports['grpc']}"
    assert given["KONTOR_METRICS_LISTEN"] == f"0.0.0.0:{ports['metrics']}"
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        assert one[probe].get("grpc", {"port": ports["grpc"]})["port"] == ports["grpc"]


def test_named_ports_exist(overlay: str) -> None:
    """Whatever services and probes call a port, a container of theirs has one of that name."""
    for service in of_kind(overlay, "Service"):
        for workload in workloads(overlay):
            if service["spec"]["selector"].items() <= _with_pod_name(workload, service).items():
                names = {port["name"] for one in pod(workload)["containers"] for port in one["ports"]}
                assert {port["targetPort"] for port in service["spec"]["ports"]} <= names
    for _, one in containers(overlay):
        names = {port["name"] for port in one["ports"]}
        for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
            assert one[probe].get("httpGet", {"port": "none"})["port"] in {*names, "none"}


def test_probes_ask_for_what_the_service_answers(overlay: str) -> None:
    """Alive without the log, ready with it; by gRPC, or with TLS, which kubelets do not speak, by our own command."""
    _, one = kontor(overlay)
    wanted = {"startupProbe": LIVENESS, "livenessProbe": LIVENESS, "readinessProbe": READINESS}
    tls = bool(settings_of(overlay).get("KONTOR_TLS_CERT_FILE"))
    for probe, service in wanted.items():
        if tls:
            assert "grpc" not in one[probe]
            assert one[probe]["exec"]["command"] == ["kontor", "health", "--service", service]
        else:
            assert one[probe]["grpc"]["service"] == service


def test_a_slow_start_is_waited_for(overlay: str) -> None:
    """The service itself waits ten seconds for its log; the probe must wait longer."""
    probe = kontor(overlay)[1]["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] >= 30


def test_grace_periods_add_up(overlay: str) -> None:
    """PreStop, drain and the rest fit into the pod's grace."""
    workload, one = kontor(overlay)
    drain = seconds(settings_of(overlay)["KONTOR_DRAIN_GRACE"] or "")
    pause = one["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert pause >= 5  # what proxies need to hear of it: Envoy asks for names and health every 2 s
    assert pause + drain + AFTER_DRAIN <= pod(workload)["terminationGracePeriodSeconds"]
    for other, container in containers(overlay):
        sleep = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds", 0)
        assert sleep + AFTER_DRAIN <= pod(other)["terminationGracePeriodSeconds"]


def test_a_full_cache_fits_into_the_memory(overlay: str) -> None:
    """Else the kernel ends a replica just when it has most to do; a quarter is left for calls and watchers."""
    given = config.load({"KONTOR_CACHE_BYTES": settings_of(overlay)["KONTOR_CACHE_BYTES"] or ""})
    limits = kontor(overlay)[1]["resources"]["limits"]["memory"]
    assert ITSELF + CACHED * given.cache_bytes <= 0.75 * int(limits[:-2]) * {"Mi": 2**20, "Gi": 2**30}[limits[-2:]]


def test_deadlines_fit_into_each_other(overlay: str) -> None:
    """A call's deadline ends within the drain, and before the gateway's patience."""
    given = settings_of(overlay)
    assert seconds(given["KONTOR_DEADLINE"] or "") <= seconds(given["KONTOR_DRAIN_GRACE"] or "")
    gateway = (KUBERNETES / "components/gateway/envoy.yaml").read_text()
    (patience,) = re.findall(r"timeout: (\d+)s # the service ends calls", gateway)
    assert seconds(given["KONTOR_DEADLINE"] or "") < int(patience)


def test_selectors_match(overlay: str) -> None:
    """Every selector of a workload, service, budget, policy and monitor finds pods."""
    pods = [labels(workload) for workload in workloads(overlay)]
    for workload in workloads(overlay):
        assert workload["spec"]["selector"]["matchLabels"].items() <= labels(workload).items()
        spread = pod(workload).get("topologySpreadConstraints", ())
        assert all(_selects(one["labelSelector"], labels(workload)) for one in spread)
    for service in of_kind(overlay, "Service"):
        assert any(
            service["spec"]["selector"].items() <= _with_pod_name(one, service).items() for one in workloads(overlay)
        )
    for one in of_kind(overlay, "PodDisruptionBudget", "PodMonitor"):
        assert sum(_selects(one["spec"]["selector"], each) for each in pods) == 1
    for policy in of_kind(overlay, "NetworkPolicy"):
        assert any(_selects(policy["spec"]["podSelector"], each) for each in pods), policy["metadata"]["name"]


def test_budgets_are_satisfiable(overlay: str) -> None:
    """One of both bounds, and at least one pod may go: else no node is ever drained."""
    for budget in of_kind(overlay, "PodDisruptionBudget"):
        spec = budget["spec"]
        assert ("minAvailable" in spec) != ("maxUnavailable" in spec)
        (workload,) = [one for one in workloads(overlay) if _selects(spec["selector"], labels(one))]
        assert spec.get("maxUnavailable", 0) >= 1 or spec["minAvailable"] < _replicas(overlay, workload)
    budgeted = sum(_selects(one["spec"]["selector"], labels(each)) for one in of_kind(overlay, "PodDisruptionBudget") for each in workloads(overlay))  # fmt: skip  # noqa: E501
    assert budgeted == len(workloads(overlay))


def test_nobody_speaks_but_whom_a_policy_lets(overlay: str) -> None:
    """Default deny, and every flow that is needed has both its ends allowed."""
    (deny,) = [one for one in of_kind(overlay, "NetworkPolicy") if one["metadata"]["name"] == "default-deny"]
    assert deny["spec"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    present = {workload["metadata"]["name"] for workload in workloads(overlay)}
    flows = [("gateway", "kontor", 50051), ("kontor", "valkey", 6379)]
    for source, target, port in flows:
        if {source, target} <= present:
            assert _flows(overlay, source, target, port, "egress", "to"), (source, target)
            assert _flows(overlay, target, source, port, "ingress", "from"), (source, target)
    assert not _flows(overlay, "kontor", "gateway", 8080, "egress", "to")


def test_accounts_config_maps_and_volumes_exist(overlay: str) -> None:
    """Whatever is named is there; secrets are the operator's, and the docs tell of each with its keys."""
    accounts = {one["metadata"]["name"] for one in of_kind(overlay, "ServiceAccount")}
    maps = {one["metadata"]["name"] for one in of_kind(overlay, "ConfigMap")}
    docs = (ROOT / "docs/operating.md").read_text()
    for workload, one in containers(overlay):
        whole = pod(workload)
        assert whole["serviceAccountName"] in accounts
        volumes = {volume["name"]: volume for volume in whole.get("volumes", ())}
        claims = {claim["metadata"]["name"] for claim in workload["spec"].get("volumeClaimTemplates", ())}
        assert {mount["name"] for mount in one.get("volumeMounts", ())} <= volumes.keys() | claims
        assert {volume["configMap"]["name"] for volume in volumes.values() if "configMap" in volume} <= maps
        secrets = {volume["secret"]["secretName"] for volume in volumes.values() if "secret" in volume}
        secrets |= {item["valueFrom"]["secretKeyRef"]["name"] for item in one.get("env", ()) if "valueFrom" in item}
        assert all(f"create secret generic {name}" in docs or f"create secret tls {name}" in docs or f"secretName: {name}" in docs for name in secrets), secrets  # fmt: skip  # noqa: E501
    assert not of_kind(overlay, "Secret")


def test_files_of_the_settings_are_mounted(overlay: str) -> None:
    """A file that a setting names lies in a volume of the container."""
    _, one = kontor(overlay)
    places = [mount["mountPath"] for mount in one["volumeMounts"]]
    files = [value for name, value in settings_of(overlay).items() if name.endswith("_FILE") and value]
    assert all(any(file.startswith(f"{place}/") for place in places) for file in files)


def test_the_scaler_scales_what_there_is(overlay: str) -> None:
    """And nobody else says how many."""
    for scaler in of_kind(overlay, "HorizontalPodAutoscaler"):
        target = named(overlay, scaler["spec"]["scaleTargetRef"]["kind"], scaler["spec"]["scaleTargetRef"]["name"])
        assert "replicas" not in target["spec"]
        assert 2 <= scaler["spec"]["minReplicas"] < scaler["spec"]["maxReplicas"]


def test_a_volume_outlives_its_set(overlay: str) -> None:
    """Deleting the StatefulSet deletes no game; one pod at a time may write a volume."""
    for one in of_kind(overlay, "StatefulSet"):
        assert set(one["spec"]["persistentVolumeClaimRetentionPolicy"].values()) == {"Retain"}
        for claim in one["spec"]["volumeClaimTemplates"]:
            assert claim["spec"]["accessModes"] == ["ReadWriteOncePod"]


def test_appends_wait_for_every_replica_there_is(overlay: str) -> None:
    """WAIT counts all that may be promoted."""
    sets = [one for one in of_kind(overlay, "StatefulSet") if one["metadata"]["name"] == "valkey"]
    if sets:
        assert int(settings_of(overlay)["KONTOR_WAIT_REPLICAS"] or 0) == sets[0]["spec"]["replicas"] - 1
    else:
        assert int(settings_of(overlay)["KONTOR_WAIT_REPLICAS"] or 0) >= 1


def test_the_image_has_the_same_ports_and_user(overlay: str) -> None:
    """Dockerfile, compose and Kubernetes agree."""
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    workload, one = kontor(overlay)
    for port in one["ports"]:
        assert re.search(rf"^EXPOSE .*\b{port['containerPort']}\b", dockerfile, re.MULTILINE)
    assert f"USER {pod(workload)['securityContext']['runAsUser']}:" in dockerfile
    known = {setting.variable for setting in config.settings()}
    ours = {"KONTOR_IMAGE", "KONTOR_KEYS", "KONTOR_PORT"}  # compose's own, for whoever starts it
    for text in (dockerfile, (DEPLOY / "compose.yaml").read_text()):
        assert set(re.findall(r"\bKONTOR_[A-Z_]+\b", text)) <= known | ours


def test_nothing_names_a_registry_or_a_secret(overlay: str) -> None:
    """Neither in the overlays nor in what they are made of."""
    assert not re.search(r"BEGIN [A-Z ]*PRIVATE KEY|password: \S", manifest(overlay))
    assert len(objects(overlay)) > 10


def _replicas(overlay: str, workload: Object) -> int:
    scalers = [one["spec"] for one in of_kind(overlay, "HorizontalPodAutoscaler") if one["spec"]["scaleTargetRef"]["name"] == workload["metadata"]["name"]]  # fmt: skip  # noqa: E501
    return int(scalers[0]["minReplicas"] if scalers else workload["spec"]["replicas"])


def _with_pod_name(workload: Object, service: Object) -> dict[str, str]:
    """A pod's labels, with the one that a StatefulSet adds, where a service asks for it."""
    wanted = service["spec"]["selector"].get("statefulset.kubernetes.io/pod-name", "")
    count = workload["spec"].get("replicas", 1)
    names = (
        {f"{workload['metadata']['name']}-{n}" for n in range(count)} if workload["kind"] == "StatefulSet" else set()
    )
    return labels(workload) | ({"statefulset.kubernetes.io/pod-name": wanted} if wanted in names else {})


def _selects(selector: Object, given: dict[str, str]) -> bool:
    rules: list[Any] = selector.get("matchExpressions", [])
    assert all(rule["operator"] == "In" for rule in rules)
    return selector.get("matchLabels", {}).items() <= given.items() and all(
        given.get(rule["key"]) in rule["values"] for rule in rules
    )


def _flows(overlay: str, here: str, there: str, port: int, direction: str, peers: str) -> bool:
    """Whether some policy of one end lets it speak with the other."""
    by_name = {workload["metadata"]["name"]: labels(workload) for workload in workloads(overlay)}
    for policy in of_kind(overlay, "NetworkPolicy"):
        if not _selects(policy["spec"]["podSelector"], by_name.get(here, {"": ""})):
            continue
        for rule in policy["spec"].get(direction, ()):
            ports = {one["port"] for one in rule["ports"]}
            pods = [one["podSelector"] for one in rule.get(peers, ()) if "podSelector" in one and "namespaceSelector" not in one]  # fmt: skip  # noqa: E501
            if port in ports and any(_selects(one, by_name.get(there, {"": ""})) for one in pods):
                return True
    return False
