import { describe, expect, it } from '@jest/globals';
import { readConfig, UsageError } from './config.ts';
import {
  DEFAULT_PORTS,
  MAX_OFFSET,
  MIN_OFFSET,
  PortTakenError,
  portsAt,
  requireFreePorts,
  unreachablePort,
  describeHolder,
} from './ports.ts';

describe('ports', () => {
  it('are the default ports plus the offset', () => {
    expect(portsAt(0)).toEqual(DEFAULT_PORTS);
    expect(portsAt(100)).toMatchObject({
      enterprise_manager: 8180,
      connector_gateway_control: 8191,
      identity_provider: 8190,
    });
  });

  it('are valid at the minimum and maximum offset', () => {
    for (const offset of [MIN_OFFSET, MAX_OFFSET]) {
      for (const port of Object.values(portsAt(offset))) {
        expect(port).toBeGreaterThan(1023);
        expect(port).toBeLessThan(65_536);
      }
    }
  });

  it('are never ports that browsers block', () => {
    expect(unreachablePort(portsAt(2000))).toBe(10_080);
    expect(unreachablePort(portsAt(0))).toBeUndefined();
  });

  it('in use are all reported, with their processes and listeners', async () => {
    const taken = new Map([
      [8080, 'nginx (pid 7)'],
      [9091, undefined],
    ]);
    const probe = {
      isFree: (port: number) => Promise.resolve(!taken.has(port)),
      holder: (port: number) => taken.get(port),
    };
    const error = await requireFreePorts(portsAt(0), probe).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PortTakenError);
    expect((error as Error).message.split('\n')).toEqual([
      'Port 8080 (enterprise-manager) is taken by nginx (pid 7).',
      'Port 9091 (connector-gateway-metrics) is taken by a process of another user.',
      expect.stringContaining('GATEHOUSE_PORT_OFFSET'),
    ]);
  });

  it('are accepted when all are free', async () => {
    const probe = { isFree: () => Promise.resolve(true), holder: () => 'unused' };
    await expect(requireFreePorts(portsAt(0), probe)).resolves.toBeUndefined();
  });
});

describe('the holder of a port', () => {
  it('is named by its command line', () => {
    expect(describeHolder('MainThread (pid 7)', (pid) => `node server.js --id ${pid}`)).toBe(
      'node server.js --id 7 (pid 7)',
    );
  });

  it('is unchanged when the command line is not readable', () => {
    expect(describeHolder('nginx (pid 7)', () => undefined)).toBe('nginx (pid 7)');
    expect(describeHolder('kworker (pid 7)', () => '')).toBe('kworker (pid 7)');
    expect(describeHolder(undefined, () => 'x')).toBeUndefined();
  });

  it('is shortened when it is very long', () => {
    expect(describeHolder('x (pid 7)', () => 'a'.repeat(5000))?.length).toBeLessThan(140);
  });
});

describe('the settings of a start', () => {
  it.each(['1e3', '0x10', ' 5', '5.5', '', 'NaN', '999999', '-9000'])('refuse the offset %j', (offset) => {
    expect(() => readConfig([], { GATEHOUSE_PORT_OFFSET: offset })).toThrow(UsageError);
  });

  it('accept known flags only', () => {
    expect(readConfig(['--json'], { GATEHOUSE_HOME: '/h', GATEHOUSE_PORT_OFFSET: '-50' })).toEqual({
      home: '/h',
      portOffset: -50,
      json: true,
      demo: false,
      underNpm: false,
    });
    expect(readConfig(['--help'], {})).toBe('help');
    expect(() => readConfig(['--jason'], {})).toThrow(UsageError);
  });
});
