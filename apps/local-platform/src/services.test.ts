import { describe, expect, it } from '@jest/globals';
import { homePaths } from './home.ts';
import { portsAt } from './ports.ts';
import { planServices } from './services.ts';

const context = {
  paths: homePaths('/home/x/.gatehouse'),
  ports: portsAt(100),
  pid: 42,
  inherited: { PATH: '/bin' },
  furtherIssuers: [],
  demo: true,
  managedSecretIds: ['0197a3c2-2b9c-71d5-aff2-f15eb4bb768a'],
};
const plans = planServices(context);
const programs = plans.flatMap(({ name, program }) => (program ? [{ name, env: program.env }] : []));
const env = (name: string): Readonly<Record<string, string>> =>
  programs.find((program) => program.name === name)?.env ?? {};

describe('the environment of the services', () => {
  it('is the same for the same context', () => {
    expect(planServices(context)).toEqual(plans);
  });

  it('gives every listener its own port', () => {
    const ports = programs
      .flatMap(({ env: { PORT, CONTROL_PORT, METRICS_PORT } }) => [PORT, CONTROL_PORT, METRICS_PORT])
      .filter(Boolean);
    expect(new Set(ports).size).toBe(ports.length);
    expect(ports.map(Number).sort((a, b) => a - b)).toEqual(Object.values(context.ports).sort((a, b) => a - b));
  });

  it('binds every service to the loopback address and to its supervisor', () => {
    for (const plan of programs) {
      expect([plan.name, plan.env['HOST'] ?? '127.0.0.1']).toEqual([plan.name, '127.0.0.1']);
      expect(plan.env).toMatchObject({ EXIT_WITH_PARENT: 'true', GATEHOUSE_PLATFORM_PID: '42', PATH: '/bin' });
    }
  });

  it('passes secrets as files', () => {
    for (const plan of programs) {
      const named = Object.keys(plan.env).filter((name) => /SECRET|_KEY|DATABASE|SEED/.test(name));
      expect(named.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
    }
  });

  it('has the demo provider and its prices only for a demonstration', () => {
    const others = planServices({ ...context, demo: false });
    expect(plans.map(({ name }) => name)).toEqual([...others.map(({ name }) => name), 'demo-provider']);
    expect(env('enterprise-manager')['ADDITIONAL_PRICES']).toContain('demo-echo');
    expect(JSON.stringify(others)).not.toContain('ADDITIONAL_PRICES');
  });

  it('permits only the AI gateway to reveal the secrets of its providers', () => {
    const gateways = JSON.parse(env('enterprise-manager')['GATEWAYS'] ?? '') as { id: string; secrets?: string[] }[];
    const permitted = gateways.filter(({ secrets }) => secrets !== undefined).map(({ id, secrets }) => [id, secrets]);
    expect(permitted).toEqual([['local-ai', context.managedSecretIds]]);
  });

  it('gives all services the same audience and issuer', () => {
    const services = ['enterprise-manager', 'connector-gateway', 'ai-gateway-mgmt', 'ai-gateway'];
    expect(new Set(services.map((name) => env(name)['AUDIENCE'])).size).toBe(1);
    expect(env('identity-provider')['AUDIENCE']).toBe(env('enterprise-manager')['AUDIENCE']);
    for (const name of services) {
      expect(JSON.parse(env(name)['ISSUERS'] ?? '')).toEqual([
        {
          id: 'local',
          issuer: 'http://127.0.0.1:8190',
          jwks_uri: 'http://127.0.0.1:8190/jwks',
          access_token_type: 'at+jwt',
          roles: { claim: 'roles', values: { admin: ['admin'], auditor: ['auditor'], gateway: ['gateway'] } },
        },
      ]);
    }
  });

  it('adds further issuers after its own, for all services', () => {
    const further = { id: 'keycloak', issuer: 'https://id.example.test' };
    const extendedPlans = planServices({ ...context, furtherIssuers: [further] });
    const lists = extendedPlans.flatMap(({ program }) =>
      program?.env['ISSUERS'] === undefined ? [] : [program.env['ISSUERS']],
    );
    expect(lists).toHaveLength(4);
    for (const list of lists) expect(JSON.parse(list)).toEqual([expect.objectContaining({ id: 'local' }), further]);
  });

  it('registers the local gateways under one id on both sides', () => {
    const registered = JSON.parse(env('enterprise-manager')['GATEWAYS'] ?? '') as Record<string, unknown>[];
    const issuer = 'http://127.0.0.1:8190';
    expect(registered).toMatchObject([
      { id: 'local', kind: 'connector', client_ids: [{ issuer, client_id: 'connector-gateway' }] },
      { id: 'local-ai', kind: 'ai', client_ids: [{ issuer, client_id: 'ai-gateway' }] },
      { id: 'ai-gateway-mgmt', kind: 'management', client_ids: [{ issuer, client_id: 'ai-gateway-mgmt' }] },
    ]);
    expect(env('connector-gateway')).toMatchObject({
      GATEWAY_ID: 'local',
      ENTERPRISE_MANAGER_URL: 'http://127.0.0.1:8180',
      CLIENT_ID: 'connector-gateway',
    });
    expect(env('ai-gateway')).toMatchObject({
      GATEWAY_ID: 'local-ai',
      CLIENT_ID: 'ai-gateway',
      USAGE_FOLDER: '/home/x/.gatehouse/ai-gateway/usage',
    });
  });

  it('stops Postgres last, after all services that use it', () => {
    const rank = (name: string): number => plans.find((plan) => plan.name === name)?.stopRank ?? -1;
    for (const { name, after } of plans) for (const needed of after) expect(rank(needed)).toBeGreaterThan(rank(name));
    expect(Math.max(...plans.map(({ stopRank }) => stopRank))).toBe(rank('postgres'));
  });
});
