#!/usr/bin/env bash
# Runs Kubernetes on this machine with the programs of build.mjs.
#   cluster.sh up DIR [--node [--policies]]   starts an API server with RBAC; --node adds controllers, scheduler, DNS and a node for pods;
#                                --policies enforces NetworkPolicies. Writes DIR/kubeconfig
#   cluster.sh load DIR IMAGE…   copies images of the local Docker into the node, with the name docker.io/<name>
#   cluster.sh down DIR          stops all programs and removes DIR/run
# --node needs root and the Debian packages containerd, containernetworking-plugins, iptables, conntrack and docker.io.
# Without coredns and kubectl, pods have no DNS.
# Ports: TESTBED_PORT (26443) for the API server, TESTBED_ETCD_PORT (23790) and TESTBED_ETCD_PEER_PORT (the next one) for etcd. A machine can run one node at a time.
set -euo pipefail

usage() { sed -n '2,7s/^# *//p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
command=$1; mkdir -p "$2"; dir=$(cd "$2" && pwd); shift 2
run=$dir/run
bin=${KUBEBUILDER_ASSETS:-${XDG_CACHE_HOME:-$HOME/.cache}/gatehouse/testbed/bin}
api_port=${TESTBED_PORT:-26443}; etcd_port=${TESTBED_ETCD_PORT:-23790}; peer_port=${TESTBED_ETCD_PEER_PORT:-$((etcd_port + 1))}
pod_network=10.244.0.0/24; service_network=10.96.0.0/24; dns_address=10.96.0.10; bridge=gatehouse-pods; policy_queue=100
containerd_socket=$run/containerd.sock
export PATH=$bin:$PATH KUBECONFIG=$dir/kubeconfig

# Programs in the order of their start. They stop in reverse order.
control_plane=(etcd kube-apiserver)
node=(kube-controller-manager kube-scheduler containerd kubelet kube-proxy)

start() { local name=$1; shift; setsid "$@" > "$run/$name.log" 2>&1 < /dev/null & echo $! > "$run/$name.pid"; }

end() {
  local file=$run/$1.pid pid; [ -f "$file" ] || return 0
  pid=$(cat "$file"); rm -f "$file"
  kill "$pid" 2> /dev/null || return 0
  for _ in $(seq 100); do kill -0 "$pid" 2> /dev/null || return 0; sleep 0.1; done
  kill -9 "$pid" 2> /dev/null || true
}

until_ready() { # NAME SECONDS COMMAND…
  local name=$1 tries=$(($2 * 5)); shift 2
  for _ in $(seq "$tries"); do "$@" > /dev/null 2>&1 && return; sleep 0.2; done
  echo "$name is not ready; the end of its log:" >&2; tail -n 5 "$run/$name.log" >&2; exit 1
}

own_address() {
  local address; address=$(ip -4 route get 192.0.2.1 2> /dev/null | sed -n 's/.* src \([0-9.]*\).*/\1/p')
  echo "${address:-$(hostname -I | cut -d' ' -f1)}"
}

require() { local missing=(); for name in "$@"; do command -v "$name" > /dev/null || missing+=("$name"); done
  [ ${#missing[@]} -eq 0 ] || { echo "Missing: ${missing[*]}. Run: node tools/testbed/build.mjs ${1:+node}; the head of this file lists the Debian packages." >&2; exit 1; }; }

up_control_plane() { # BIND ADDRESS
  openssl genrsa -out "$run/accounts.key" 2048 2> /dev/null
  local token; token=$(openssl rand -hex 24)
  (umask 077; echo "$token,admin,admin,\"system:masters\"" > "$run/tokens.csv")
  local etcd=http://127.0.0.1:$etcd_port peer=http://127.0.0.1:$peer_port
  start etcd etcd --data-dir "$run/etcd" --listen-client-urls "$etcd" --advertise-client-urls "$etcd" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "default=$peer"
  start kube-apiserver kube-apiserver --etcd-servers "$etcd" --secure-port "$api_port" --bind-address "$1" --advertise-address "$2" \
    --cert-dir "$run/certificates" --authorization-mode RBAC --token-auth-file "$run/tokens.csv" --allow-privileged \
    --service-account-issuer https://kubernetes.default.svc --service-account-key-file "$run/accounts.key" \
    --service-account-signing-key-file "$run/accounts.key" --service-cluster-ip-range "$service_network" --kubelet-preferred-address-types InternalIP
  (umask 077; cat > "$KUBECONFIG" <<EOF
apiVersion: v1
kind: Config
clusters: [{name: testbed, cluster: {server: "https://127.0.0.1:$api_port", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: "$token"}}]
contexts: [{name: testbed, context: {cluster: testbed, user: admin}}]
current-context: testbed
EOF
  )
  until_ready kube-apiserver 60 curl -ksf -H "Authorization: Bearer $token" "https://127.0.0.1:$api_port/readyz"
}

# Docker drops what its own bridges do not forward. These rules let the pods of the node reach each other.
forward_pods() { # -I | -D
  iptables "$1" FORWARD -i "$bridge" -j ACCEPT && iptables "$1" FORWARD -o "$bridge" -j ACCEPT
}

# The first packets of the connections of pods go to kube-network-policies, which accepts or drops
# them. Its own rules of nftables need a kernel with NFT_QUEUE; the target NFQUEUE of iptables is more
# common. INPUT has the packets to the node itself. Programs of the node, such as probes, are exempt.
judge_pods() { # -A | -D
  local new=(-m conntrack --ctstate NEW) queue=(-j NFQUEUE --queue-num "$policy_queue")
  iptables -t mangle "$1" INPUT -s "$pod_network" "${new[@]}" "${queue[@]}" &&
    iptables -t mangle "$1" POSTROUTING -s "$pod_network" "${new[@]}" "${queue[@]}" &&
    iptables -t mangle "$1" POSTROUTING -d "$pod_network" ! -s "$pod_network" -m owner ! --uid-owner 0 "${new[@]}" "${queue[@]}"
}

up_policies() {
  start kube-network-policies kube-network-policies --kubeconfig "$KUBECONFIG" --hostname-override node1 --nfqueue-id "$policy_queue"
  until_ready kube-network-policies 20 grep -q "^ *$policy_queue " /proc/net/netfilter/nfnetlink_queue
  judge_pods -A
}

up_runtime() {
  forward_pods -I
  mkdir -p "$run/cni"
  cat > "$run/cni/10-pods.conflist" <<EOF
{"cniVersion": "0.4.0", "name": "pods", "plugins": [
  {"type": "bridge", "bridge": "$bridge", "isGateway": true, "ipMasq": true, "hairpinMode": true,
   "ipam": {"type": "host-local", "dataDir": "$run/ipam", "ranges": [[{"subnet": "$pod_network"}]], "routes": [{"dst": "0.0.0.0/0"}]}},
  {"type": "portmap", "capabilities": {"portMappings": true}}]}
EOF
  # restrict_oom_score_adj: without it, containers fail on machines that cannot lower this score.
  cat > "$run/containerd.toml" <<EOF
version = 2
root = "$run/containerd"
state = "$run/containerd-state"
[grpc]
  address = "$containerd_socket"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "docker.io/gatehouse-testbed/pause:1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$run/cni"
EOF
  start containerd containerd -c "$run/containerd.toml"
  until_ready containerd 20 ctr -a "$containerd_socket" version
  make_pause_image
  load gatehouse-testbed/pause:1
}

# The pause container of each pod owns its network: one static program that waits for a signal.
make_pause_image() {
  docker image inspect gatehouse-testbed/pause:1 > /dev/null 2>&1 && return
  local source=$run/pause; mkdir -p "$source"
  printf 'module pause\n\ngo 1.25\n' > "$source/go.mod"
  cat > "$source/main.go" <<'EOF'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGINT, syscall.SIGTERM)
	<-ended
}
EOF
  (cd "$source" && CGO_ENABLED=0 go build -o pause . && tar c pause | docker import -c 'ENTRYPOINT ["/pause"]' - gatehouse-testbed/pause:1 > /dev/null)
}

node_is_ready() {
  local token; token=$(cut -d, -f1 "$run/tokens.csv")
  curl -ksf -H "Authorization: Bearer $token" "https://127.0.0.1:$api_port/api/v1/nodes/node1" | grep -q '"KubeletReady"'
}

up_node() { # ADDRESS
  start kube-controller-manager kube-controller-manager --kubeconfig "$KUBECONFIG" --leader-elect=false --service-account-private-key-file "$run/accounts.key" \
    --root-ca-file "$run/certificates/apiserver.crt" --cluster-cidr "$pod_network" --allocate-node-cidrs
  start kube-scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false
  up_runtime
  cat > "$run/kubelet.yaml" <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
address: $1
cgroupDriver: cgroupfs
enforceNodeAllocatable: []
failSwapOn: false
failCgroupV1: false
clusterDNS: ["$dns_address"]
clusterDomain: cluster.local
containerRuntimeEndpoint: unix://$containerd_socket
evictionHard: {memory.available: "100Mi", nodefs.available: "1%", imagefs.available: "1%"}
EOF
  start kubelet kubelet --kubeconfig "$KUBECONFIG" --config "$run/kubelet.yaml" --root-dir "$run/kubelet" --cert-dir "$run/kubelet-certificates" \
    --hostname-override node1 --node-ip "$1"
  start kube-proxy kube-proxy --kubeconfig "$KUBECONFIG" --hostname-override node1 --cluster-cidr "$pod_network" --proxy-mode iptables
  until_ready kubelet 60 node_is_ready
  if command -v coredns > /dev/null && command -v kubectl > /dev/null; then up_dns "$1"; fi
}

# DNS runs as a process of the machine. A Service without a selector forwards the DNS address of the cluster to it.
up_dns() { # ADDRESS
  cat > "$run/Corefile" <<EOF
.:5353 {
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $KUBECONFIG testbed
    pods insecure
  }
  forward . /etc/resolv.conf
  cache 5
}
EOF
  start coredns coredns -conf "$run/Corefile"
  kubectl apply -f - > /dev/null <<EOF
apiVersion: v1
kind: Service
metadata: {name: kube-dns, namespace: kube-system}
spec:
  clusterIP: $dns_address
  ports: [{name: dns, protocol: UDP, port: 53, targetPort: 5353}, {name: dns-tcp, protocol: TCP, port: 53, targetPort: 5353}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: kube-dns-machine, namespace: kube-system, labels: {kubernetes.io/service-name: kube-dns}}
addressType: IPv4
ports: [{name: dns, protocol: UDP, port: 5353}, {name: dns-tcp, protocol: TCP, port: 5353}]
endpoints: [{addresses: ["$1"], conditions: {ready: true}}]
EOF
}

load() { local image; for image in "$@"; do docker save "$image" | ctr -a "$containerd_socket" -n k8s.io image import - > /dev/null; done; }

down() {
  local name
  while judge_pods -D 2> /dev/null; do :; done
  for name in kube-network-policies coredns kube-proxy kubelet kube-scheduler kube-controller-manager; do end "$name"; done
  if [ -S "$containerd_socket" ]; then
    local ctr=(ctr -a "$containerd_socket" -n k8s.io)
    "${ctr[@]}" task ls -q 2> /dev/null | xargs -r -n1 "${ctr[@]}" task rm -f > /dev/null 2>&1 || true
    "${ctr[@]}" container ls -q 2> /dev/null | xargs -r -n1 "${ctr[@]}" container rm > /dev/null 2>&1 || true
  fi
  for name in containerd kube-apiserver etcd; do end "$name"; done
  awk -v below="$run/" 'index($2, below) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n1 umount -l 2> /dev/null || true
  if [ -f "$run/kubelet.yaml" ]; then
    # A remaining bridge with the same network would make the pods of the next node unreachable.
    ip link delete "$bridge" 2> /dev/null || true
    while forward_pods -D 2> /dev/null; do :; done
    kube-proxy --cleanup > /dev/null 2>&1 || true
  fi
  rm -rf "$run" "$KUBECONFIG"
}

case $command in
  up)
    require "${control_plane[@]}" curl openssl
    [ "${1:-}" = --node ] && require "${node[@]}" ctr docker
    [ "${2:-}" = --policies ] && require kube-network-policies
    [ -d "$run" ] && down
    mkdir -p "$run"
    if [ "${1:-}" = --node ]; then address=$(own_address); up_control_plane 0.0.0.0 "$address"; up_node "$address"; [ "${2:-}" != --policies ] || up_policies; else up_control_plane 127.0.0.1 127.0.0.1; fi
    echo "KUBECONFIG=$KUBECONFIG" ;;
  load) load "$@" ;;
  down) down ;;
  *) usage ;;
esac
