import { Args, Flags } from '@oclif/core';
import { authenticationFlags } from '../flags/authentication-flags.ts';
import { buildFlags, list, toCamelCase } from '../flags/build-flags.ts';
import { remoteFlags } from '../flags/remote-flags.ts';
import { telemetryFlags } from '../flags/telemetry-flags.ts';
import { WorkloadCommand } from '../base/workload-command.ts';
import { loadCliConfig, managerEnvironment } from '../config/config.ts';
import { prepareCommandLine } from '../services/run-source.ts';
import { runWorkload } from '../services/run.ts';

/** `gatehouse run`. */
export default class Run extends WorkloadCommand {
  static override summary = 'run an MCP server behind an HTTP proxy';
  static override description = `Starts the server's container, waits until the server answers, and prints the URL for MCP clients.
The workload stays when the command ends; arguments after -- go to the server.`;
  static override usage = 'run [flags] SERVER [-- ARGS...]';
  static override examples = [
    '<%= config.bin %> run server-time',
    '<%= config.bin %> run ghcr.io/owner/server:1.0',
    '<%= config.bin %> run ghcr.io/owner/server:1.0 --name files -v "$PWD:/data:ro" -e LOG_LEVEL=debug',
    '<%= config.bin %> run owner/server --transport stdio -- --verbose',
    '<%= config.bin %> run npx://@modelcontextprotocol/server-everything',
    '<%= config.bin %> run uvx://mcp-server-time@2026.10.19 -- --local-timezone Europe/Berlin',
    '<%= config.bin %> run go://./server --name mine',
    '<%= config.bin %> run https://mcp.example.com/mcp --name remote --remote-auth',
    '<%= config.bin %> run https://mcp.example.com/mcp --name remote --remote-auth-bearer-token-file token.txt',
    '<%= config.bin %> run owner/server --target-port 3001 --proxy-port 9000 --json',
    '<%= config.bin %> run --from-config files.json --replace',
    '<%= config.bin %> run owner/browser --memory 4g --cpus 4 --pids-limit none',
    '<%= config.bin %> run ghcr.io/owner/server:1.0 --runtime kubernetes --kube-namespace tools',
    '<%= config.bin %> run owner/server --oidc-issuer https://id.example.com --oidc-audience mcp',
    '<%= config.bin %> run owner/server --otel-endpoint https://otel.example.com:4318 --otel-headers api-key=…',
    '<%= config.bin %> run owner/server --host 0.0.0.0 --allowed-origins https://mcp.example.com',
  ];
  static override args = {
    server: Args.string({
      ignoreStdin: true,
      description:
        'server: a name of the registry, a container image, a package (uvx://, npx:// or go://), or the URL of a remote server',
    }),
  };
  static override flags = {
    'from-config': Flags.string({
      description: 'run an exported configuration; - reads it from standard input',
    }),
    replace: Flags.boolean({ description: 'with --from-config: take the place of the workload of the same name' }),
    name: Flags.string({ description: 'name of the workload (default: from the server)' }),
    group: Flags.string({ description: 'group of the workload (default: default)' }),
    ...buildFlags,
    label: list('container label, key=value; may be repeated', 'l'),
    env: list('environment variable, KEY=VALUE; may be repeated', 'e'),
    'env-file': Flags.string({ description: 'load environment variables from a file' }),
    'env-file-dir': Flags.string({ description: 'load environment variables from all files of a folder' }),
    secret: list('secret as an environment variable, NAME,target=VARIABLE; may be repeated'),
    volume: list('mount, host-path:container-path[:ro]; may be repeated', 'v'),
    publish: list('publish a port, hostPort:containerPort; may be repeated', 'p'),
    network: Flags.string({
      description: 'network of the container: host, none or a name (default: a network of its own)',
    }),
    'permission-profile': Flags.string({
      description: "rights of the server: none, network or a JSON file (default: the registry's profile, or network)",
    }),
    'isolate-network': Flags.boolean({
      allowNo: true,
      description:
        'let the server reach only what its permission profile allows (default: true; not with --network host or none)',
    }),
    'allow-docker-gateway': Flags.boolean({
      description: 'let an isolated server reach this machine as host.docker.internal, on every port',
    }),
    'image-verification': Flags.string({
      description:
        'images of the registry without valid provenance: warn, enabled (refuse) or disabled (default: warn)',
    }),
    'gatehouse-ca-bundle': Flags.string({
      description: 'file with certificates of authorities (PEM) for the calls of gatehouse to registries',
    }),
    'ignore-globally': Flags.boolean({
      allowNo: true,
      description: 'hide the files in mounts that your own ignore file names (default: true)',
    }),
    'print-resolved-overlays': Flags.boolean({
      description: 'print the container paths that ignore files hide',
    }),
    memory: Flags.string({
      description: 'memory of each container, such as 512m or 4g; 0 or none: no limit (default: 2g)',
    }),
    cpus: Flags.string({
      description: 'maximum number of processors of each container, such as 0.5; 0 or none: no limit (default: 2)',
    }),
    'pids-limit': Flags.string({
      description: 'maximum number of processes and threads of each container; 0 or none: no limit (default: 512)',
    }),
    transport: Flags.string({
      description:
        "stdio, sse or streamable-http (default: of the registry or the image's label, else streamable-http)",
    }),
    'proxy-mode': Flags.string({
      description:
        'transport of the clients of a stdio server: streamable-http or, deprecated, sse (default: streamable-http)',
    }),
    host: Flags.string({
      description:
        'address the proxy listens on (default: 127.0.0.1); with other than loopback addresses, the Host header must be an ' +
        'IP address, the host name of this machine, the value of --host, or a host of --allowed-origins',
    }),
    'proxy-port': Flags.string({ description: 'port the proxy listens on (default: a stable one from the name)' }),
    'target-host': Flags.string({ description: 'host to forward to (not with stdio; default: the container)' }),
    'target-port': Flags.string({ description: 'port the server listens on in its container (not with stdio)' }),
    'allowed-origins': list(
      "origin that browsers may call from, exactly; may be repeated (default: the proxy's own address)",
    ),
    'endpoint-prefix': Flags.string({
      description: 'path that a reverse proxy in front takes off; clients of SSE streams get it in their endpoint',
    }),
    'trust-proxy-headers': Flags.boolean({
      description: 'trust the X-Forwarded-* headers of a reverse proxy in front: for the server and for the audit',
    }),
    ...authenticationFlags,
    'enable-audit': Flags.boolean({
      description: 'write an audit event for each request to audit.log of the workload',
    }),
    'audit-config': Flags.string({ description: 'JSON file that says what is audited, and where it is written' }),
    'authz-config': Flags.string({
      description: 'JSON or YAML file with Cedar policies: who may use which tools, prompts and resources',
    }),
    'webhook-config': list(
      'JSON or YAML file with webhooks that change or refuse requests; may be repeated, files merge',
    ),
    ...telemetryFlags,
    tools: list('names of the tools that clients see, separated by commas; may be repeated (default: all tools)'),
    'tools-override': Flags.string({ description: 'JSON file with other names and descriptions of tools' }),
    'strict-protocol-validation': Flags.boolean({
      description: 'refuse unknown MCP-Protocol-Version headers with HTTP 400',
    }),
    stateless: Flags.boolean({ description: 'the server keeps no state: POST only' }),
    ...remoteFlags,
    'max-request-body-size': Flags.string({ description: 'maximum size of a request body in bytes (default: 8 MiB)' }),
    'proxy-read-timeout': Flags.string({ description: 'time within which a request must arrive (default: 30s)' }),
    'session-ttl': Flags.string({ description: 'time after which an unused session ends (default: 2h)' }),
    'request-timeout': Flags.string({
      description: 'maximum time of a request (default: 10m; no limit with progress notifications)',
    }),
    'start-timeout': Flags.string({ description: 'maximum time until the first answer of the server (default: 60s)' }),
    runtime: Flags.string({
      description: 'where the server runs: engine (Docker or Podman) or kubernetes (default: engine)',
    }),
    'kube-context': Flags.string({
      description: 'context of the kubeconfig, with --runtime kubernetes (default: the current one)',
    }),
    'kube-namespace': Flags.string({
      description: "namespace of the workload, with --runtime kubernetes (default: the context's, else default)",
    }),
    foreground: Flags.boolean({
      char: 'f',
      description: 'stay until the container exits; Ctrl-C removes the workload',
    }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.read(Run);
    const prepared = await prepareCommandLine(
      { typed: args.server, args: this.serverArguments, flags: toCamelCase(flags), given: flags },
      {
        home: this.home(),
        folder: process.cwd(),
        globalIgnoreFile: loadCliConfig(this.config.root).globalIgnoreFile,
        secretsSettings: this.secretsSettings,
        checkNew: (request) => this.workloads().checkNew(request),
        say: this.output.say,
      },
    );
    process.exitCode = await runWorkload(this.workloads(), prepared, {
      foreground: flags.foreground,
      json: flags.json,
      output: this.output,
      openClients: () => this.clients(),
      abort: this.interruption(),
      desktop: managerEnvironment(),
    });
  }
}
