import { describe, expect, it } from '@jest/globals';
import { UNLIMITED_SETTINGS } from '../ports/gateway-settings.fixture.ts';
import { GatewayLimits } from './gateway-limits.ts';

const { limits } = UNLIMITED_SETTINGS;

describe('GatewayLimits', () => {
  it('has no limits for a connector without any', () => {
    expect(new GatewayLimits(UNLIMITED_SETTINGS).findOfConnector('one')).toBeUndefined();
    expect(new GatewayLimits(undefined).findOfConnector('one')).toBeUndefined();
  });

  it('prefers the limits of the connector, also if they are null', () => {
    const settings = {
      ...UNLIMITED_SETTINGS,
      limits: { ...limits, calls_per_minute_per_person: 60, calls_per_minute_per_tool: 10, max_result_bytes: 5 },
      connectors: { one: { limits: { calls_per_minute_per_person: 7, calls_per_minute_per_tool: null } } },
    };
    const found = new GatewayLimits(settings);
    expect(found.findOfConnector('one')).toMatchObject({
      perPerson: { value: 7, connectorId: 'one' },
      perTool: undefined,
      resultBytes: 5,
    });
    expect(found.findOfConnector('two')).toMatchObject({
      perPerson: { value: 60, connectorId: undefined },
      perTool: { value: 10, connectorId: undefined },
    });
  });

  it('finds the sessions of a user at an endpoint', () => {
    const settings = {
      ...UNLIMITED_SETTINGS,
      limits: { ...limits, sessions_per_person: 3 },
      connectors: { one: { limits: { sessions_per_person: 1 } } },
    };
    const found = new GatewayLimits(settings);
    expect(found.findSessionsPerPerson(undefined)?.value).toBe(3);
    expect(found.findSessionsPerPerson('two')?.value).toBe(3);
    expect(found.findSessionsPerPerson('one')).toEqual({ value: 1, connectorId: 'one' });
  });
});
