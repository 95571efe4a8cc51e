import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';

/** This machine in the network of the pods (tools/testbed/cluster.sh). */
const HOST_OF_PODS = '10.244.0.1';

interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * The services that passes call, at all addresses of this machine, so that pods reach them: keys of
 * an issuer at `/keys`, a webhook that allows everything, and a collector of OTLP.
 */
export class PassServices {
  readonly calls: ReceivedCall[] = [];
  readonly #server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? '';
      this.calls.push({ path, headers: request.headers, body });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(path === '/keys' ? { keys: this.issuer.keys() } : { allowed: true }));
    });
  });

  private constructor(readonly issuer: TestIssuer) {}

  static async start(): Promise<PassServices> {
    const services = new PassServices(await startIssuer({ audience: 'mcp' }));
    services.#server.listen(0, '0.0.0.0');
    await once(services.#server, 'listening');
    return services;
  }

  /** The flags of a workload in a cluster that uses them, and its secrets as variables. */
  configure(folder: string): { readonly flags: string[]; readonly secrets: NodeJS.ProcessEnv } {
    const address = `${HOST_OF_PODS}:${(this.#server.address() as AddressInfo).port}`;
    const [policies, hooks] = [join(folder, 'policies.json'), join(folder, 'hooks.json')];
    const permit = 'permit(principal == Client::"alice", action == Action::"call_tool", resource == Tool::"greet");';
    writeFileSync(policies, JSON.stringify({ version: '1.0', type: 'cedarv1', cedar: { policies: [permit] } }));
    const insecure = { tls_config: { insecure_skip_verify: true }, failure_policy: 'fail' };
    const hook = { name: 'check', url: `http://${address}/hook`, hmac_secret_ref: 'hook_key', ...insecure };
    writeFileSync(hooks, JSON.stringify({ validating: [hook] }));
    return {
      flags: [
        ...['--oidc-issuer', this.issuer.issuer, '--oidc-jwks-url', `http://${address}/keys`, '--oidc-audience', 'mcp'],
        ...['--oidc-insecure-allow-http', '--jwks-allow-private-ip'],
        ...['--authz-config', policies, '--webhook-config', hooks],
        ...['--otel-endpoint', `http://${address}`, '--otel-insecure', '--otel-sampling-rate', '1'],
        ...['--otel-headers', 'x-api-key=otel_key,target=x-api-key'],
      ],
      secrets: {
        ...{ GATEHOUSE_SECRETS_PROVIDER: 'environment' },
        ...{ GATEHOUSE_SECRET_hook_key: 'hook-canary', GATEHOUSE_SECRET_otel_key: 'otel-canary' },
      },
    };
  }

  /** Whether all calls of the webhook have the signature of this secret. */
  isSigned(path: string, secret: string): boolean {
    const calls = this.calls.filter((call) => call.path === path);
    const sign = ({ headers, body }: ReceivedCall) =>
      `sha256=${createHmac('sha256', secret)
        .update(`${String(headers['x-toolhive-timestamp'])}.${body.toString()}`)
        .digest('hex')}`;
    return calls.length > 0 && calls.every((call) => call.headers['x-toolhive-signature'] === sign(call));
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.issuer.close();
  }
}
